// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";

export type Loaded<T> =
  | { readonly state: "waiting" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly again: () => void };

/** Loads something when the page opens, and again when `key` changes; null: there is nothing to load yet. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly result: Loaded<T> } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === null) return;
    let wanted = true;
    load().then(
      (value) => {
        if (wanted) setLoaded({ key, result: { state: "ready", value } });
      },
      () => {
        if (!wanted) return;
        const again = () => {
          setLoaded(null);
          setAttempt((before) => before + 1);
        };
        setLoaded({ key, result: { state: "failed", again } });
      },
    );
    return () => {
      wanted = false;
    };
  }, [key, attempt]);
  return loaded && loaded.key === key ? loaded.result : { state: "waiting" };
}
