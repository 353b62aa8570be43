import { make } from './dom.js'

/**
 * Shows a picture in an element. A picture that is already shown stays, so that a newly signed address does not flicker;
 * another one stays until the new one is loaded, and fades into it.
 */
export function showPicture(place: HTMLElement, url: string, alt: string): void {
  const shown = new URL(url, document.baseURI).pathname + alt
  if (place.dataset.shown === shown) return
  place.dataset.shown = shown
  const picture = make('img', { src: url, alt })
  if (place.querySelector('img') === null) {
    place.replaceChildren(picture)
    return
  }
  const swap = async () => {
    if (place.dataset.shown !== shown) return
    // Only the new one is described.
    for (const former of place.querySelectorAll('img')) former.alt = ''
    place.append(picture)
    await Promise.allSettled(picture.getAnimations().map(({ finished }) => finished))
    if (place.dataset.shown === shown) place.replaceChildren(picture)
  }
  picture.decode().then(swap, () => {
    // The picture of before stays; the next call tries again.
    if (place.dataset.shown === shown) delete place.dataset.shown
  })
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
