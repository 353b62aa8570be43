import type { Kit } from '../kit.js'
import type { Place } from '../setting.js'
import { car } from './car.js'
import { clinic } from './clinic.js'
import { field } from './field.js'
import { forest } from './forest.js'
import { garden } from './garden.js'
import { mountains } from './mountains.js'
import { park } from './park.js'
import { room } from './room.js'
import { beach, lake } from './shore.js'
import { street } from './street.js'

/** Draws each place down to its ground. `view` is the distant part: in the sky outdoors, through a window indoors. */
export const places: Readonly<Record<Place, (kit: Kit, view: string) => string>> = {
  room,
  clinic,
  car,
  garden,
  park,
  field,
  forest,
  hills: mountains,
  lake,
  beach,
  street,
}
