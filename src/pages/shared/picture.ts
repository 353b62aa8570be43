import { make } from './dom.js'

/**
 * Shows a picture in an element. A picture that is already shown stays, so that a newly signed address does not flicker;
 * another one stays until the new one is loaded.
 */
export function showPicture(place: HTMLElement, url: string, alt: string): void {
  const shown = new URL(url, document.baseURI).pathname + alt
  if (place.dataset.shown === shown) return
  place.dataset.shown = shown
  const picture = make('img', { src: url, alt })
  const swap = () => {
    if (place.dataset.shown === shown) place.replaceChildren(picture)
  }
  if (place.querySelector('img') === null) swap()
  else picture.decode().then(swap, swap)
}

/** Makes a picture from a file that may not be one; if it fails to load, `instead` replaces it. */
export function makePicture(
  attributes: Readonly<Record<string, string>>,
  instead: () => HTMLElement,
): HTMLImageElement {
  const picture = make('img', attributes)
  picture.addEventListener('error', () => picture.replaceWith(instead()))
  return picture
}

/** Empties the element of a picture, or shows something else in it. */
export function showInstead(place: HTMLElement, ...children: readonly (Node | string)[]): void {
  delete place.dataset.shown
  place.replaceChildren(...children)
}
