import type { Provider } from '../ports/provider.js'
import type { ModelPrice } from './spending.js'

/** A model for which tasks are created. */
export interface Model extends Pick<Provider, 'label' | 'imageModel' | 'videoModel'>, ModelPrice {}
