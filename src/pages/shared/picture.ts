import { make } from './dom.js'

/** Shows a picture in a place; one that is there already stays, so that nothing flickers when its address is signed anew. */
export function showPicture(place: HTMLElement, url: string, alt: string): void {
  const { pathname } = new URL(url, document.baseURI)
  if (place.dataset.shown === pathname + alt) return
  place.dataset.shown = pathname + alt
  place.replaceChildren(make('img', { src: url, alt }))
}

/** A picture that may be none, such as a file that somebody chose; then something else stands in its place. */
export function makePicture(
  attributes: Readonly<Record<string, string>>,
  instead: () => HTMLElement,
): HTMLImageElement {
  const picture = make('img', attributes)
  picture.addEventListener('error', () => picture.replaceWith(instead()))
  return picture
}

/** Empties the place of a picture, or puts something else there. */
export function showInstead(place: HTMLElement, ...children: readonly (Node | string)[]): void {
  delete place.dataset.shown
  place.replaceChildren(...children)
}
