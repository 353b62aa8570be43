import type { PageData } from '../page/data.js'
import { getElement } from './page.js'

export const data: PageData = JSON.parse(getElement('data', HTMLScriptElement).text)

/** Set if a program serves the page. */
export const served = data.served
