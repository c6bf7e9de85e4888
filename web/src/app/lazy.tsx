// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A part of a page that is loaded when it is first shown. Until then, and if it can't be loaded, its place is empty. */
export function lazyPart(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  return function LazyPart() {
    const [Part, setPart] = useState<ComponentType | null>(() => loaded);
    useEffect(() => {
      if (loaded) return;
      let wanted = true;
      let pause = 1000;
      const attempt = (): void => {
        load().then(
          (component) => {
            loaded = component;
            if (wanted) setPart(() => component);
          },
          () => {
            if (wanted) setTimeout(attempt, pause);
            pause = Math.min(pause * 2, 30_000);
          },
        );
      };
      attempt();
      return () => {
        wanted = false;
      };
    }, []);
    return Part ? <Part /> : null;
  };
}
