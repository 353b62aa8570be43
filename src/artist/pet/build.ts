import type { Species } from '../look.js'
import { type Point, points } from '../rig/points.js'

/** The proportions of a species, in pixels. */
export interface Build {
  /** Height of hip and shoulder above the ground when standing, and the distance between them. */
  readonly hipHeight: number
  readonly shoulderHeight: number
  readonly trunk: number
  readonly hind: LegBuild
  readonly fore: LegBuild
  readonly pawScale: number
  /** Height of its steps, as a fraction of the gait's lift. */
  readonly stepHeight: number
  readonly headScale: number
  /** From the shoulder to the head when walking and when running. */
  readonly headWalking: readonly [number, number]
  readonly headRunning: readonly [number, number]
  readonly neckRadius: readonly [number, number]
  /** Outline of the standing trunk in the frame from hip (0) to shoulder (1); see `frameOf`. */
  readonly outline: readonly Point[]
  readonly underside: readonly Point[]
  readonly girth: { readonly above: number; readonly below: number }
}

export interface LegBuild {
  readonly bones: readonly [number, number]
  /** At the root, the first and second joint, and the paw. */
  readonly radii: readonly [number, number, number, number]
  /** From the paw's contact with the ground to the second joint. */
  readonly ankle: readonly [number, number]
}

export const builds: Readonly<Record<Species, Build>> = {
  dog: {
    hipHeight: 226,
    shoulderHeight: 230,
    trunk: 262,
    hind: { bones: [110, 106], radii: [70, 42, 23, 22], ankle: [-22, -70] },
    fore: { bones: [98, 102], radii: [56, 34, 25, 25], ankle: [-4, -48] },
    pawScale: 1,
    stepHeight: 1,
    headScale: 1.12,
    headWalking: [96, -150],
    headRunning: [112, -112],
    neckRadius: [86, 66],
    outline: points(
      '-0.3,8 -0.2,62 0.12,80 0.55,74 0.95,88 1.22,54 1.3,-16 1.16,-84 0.78,-98 0.36,-70 0.05,-72 -0.2,-56',
    ),
    underside: points('1.36,-4 1.2,-110 0.78,-130 0.3,-104 0.02,-96 0.1,-76 0.34,-60 0.62,-60 0.9,-58 1.12,-16'),
    girth: { above: 80, below: 90 },
  },
  cat: {
    hipHeight: 192,
    shoulderHeight: 184,
    trunk: 272,
    hind: { bones: [94, 90], radii: [64, 36, 20, 19], ankle: [-20, -60] },
    fore: { bones: [82, 84], radii: [46, 29, 21, 21], ankle: [-3, -42] },
    pawScale: 0.86,
    stepHeight: 0.8,
    headScale: 1.12,
    headWalking: [104, -112],
    headRunning: [118, -84],
    neckRadius: [68, 60],
    outline: points(
      '-0.25,2 -0.17,50 0.1,66 0.5,60 0.92,70 1.16,46 1.23,-8 1.12,-58 0.8,-74 0.42,-70 0.08,-62 -0.16,-46',
    ),
    underside: points('1.28,0 1.14,-90 0.78,-104 0.3,-100 0.02,-88 0.1,-66 0.34,-53 0.62,-48 0.88,-42 1.06,-12'),
    girth: { above: 66, below: 72 },
  },
}
