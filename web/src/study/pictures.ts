// SPDX-License-Identifier: MIT
//
// Drawings of the page as files: the board as SVG and PNG, and a line as a moving SVG. The page's styles are written into the
// drawing, so that it looks the same anywhere.

const namespace = "http://www.w3.org/2000/svg";
const properties = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "dominant-baseline",
] as const;
/** What is on the board for hands and screen readers only. */
const unseen = ".place, .arrows, .target, .worth, .dragged";

/** Styles that occur, each written once. */
class Styles {
  private readonly names = new Map<string, string>();

  of(element: Element): string {
    const style = getComputedStyle(element);
    const text = properties.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
    const known = this.names.get(text) ?? `s${this.names.size}`;
    this.names.set(text, known);
    return known;
  }

  get sheet(): string {
    return [...this.names].map(([text, name]) => `.${name}{${text}}`).join("\n");
  }
}

/** A copy with its styles; `shown` is the drawing on the page. */
function copyOf(shown: Element, styles: Styles): Element | null {
  if (shown.matches(unseen)) return null;
  const copy = document.createElementNS(namespace, shown.tagName);
  for (const { name, value } of shown.attributes) {
    if (!/^(class|style|role|tabindex|aria-|data-)/.test(name)) copy.setAttribute(name, value);
  }
  const moved = (shown as SVGElement).style?.transform;
  // As an attribute of its own: the page's policy allows no styles in attributes.
  if (moved) copy.setAttribute("transform", moved.replaceAll("px", ""));
  if (shown.tagName !== "g" && shown.tagName !== "svg") copy.setAttribute("class", styles.of(shown));
  else if (getComputedStyle(shown).opacity !== "1") copy.setAttribute("opacity", getComputedStyle(shown).opacity);
  for (const child of shown.childNodes) {
    if (child instanceof Element) {
      const inner = copyOf(child, styles);
      if (inner) copy.append(inner);
    } else if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "");
  }
  return copy;
}

function withSheet(svg: Element, sheet: string): string {
  // As text: the page's policy allows no style elements in its own documents.
  const text = new XMLSerializer().serializeToString(svg).replace(/>/, `><style>${sheet.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

function sizeOf(shown: SVGSVGElement): { readonly width: number; readonly height: number } {
  const { width, height } = shown.viewBox.baseVal;
  return { width, height };
}

export function svgOf(shown: SVGSVGElement): string {
  const styles = new Styles();
  const copy = copyOf(shown, styles) as Element;
  const { width, height } = sizeOf(shown);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return withSheet(copy, styles.sheet);
}

/** Several drawings of one size, one after the other for ever. */
export function movingSvgOf(frames: readonly SVGSVGElement[], secondsEach: number): string {
  const styles = new Styles();
  const first = frames[0] as SVGSVGElement;
  const { width, height } = sizeOf(first);
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  const whole = frames.length * secondsEach;
  frames.forEach((frame, number) => {
    const copy = copyOf(frame, styles) as Element;
    const group = document.createElementNS(namespace, "g");
    group.setAttribute("class", `frame f${number}`);
    group.append(...copy.childNodes);
    svg.append(group);
  });
  const delays = frames.map((_, number) => `.f${number}{animation-delay:${(number * secondsEach - whole).toFixed(2)}s}`).join("\n");
  const share = (100 / frames.length).toFixed(3);
  const sheet = `${styles.sheet}
.frame{visibility:hidden;animation:show ${whole}s infinite}
${delays}
@keyframes show{0%{visibility:visible}${share}%{visibility:hidden}}`;
  return withSheet(svg, sheet);
}

/** As a picture of points; null if the browser does not make one. */
export async function pngOf(svg: string, scale: number): Promise<Blob | null> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise<void>((resolve, reject) => {
      image.onload = () => resolve();
      image.onerror = () => reject(new Error("the drawing can't be read"));
      image.src = address;
    });
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Hands a file to the browser. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
