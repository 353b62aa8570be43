import type { Kit } from '../kit.js'
import type { Place } from '../setting.js'
import { car } from './car.js'
import { clinic } from './clinic.js'
import { field, garden, park } from './green.js'
import { room } from './room.js'
import { street } from './street.js'
import { beach, lake } from './water.js'
import { forest, hills } from './wild.js'

/** Draws each place down to its ground. `view` is the distant part: in the sky outdoors, through a window indoors. */
export const places: Readonly<Record<Place, (kit: Kit, view: string) => string>> = {
  room,
  clinic,
  car,
  garden,
  park,
  field,
  forest,
  hills,
  lake,
  beach,
  street,
}
