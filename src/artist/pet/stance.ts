import type { Look } from '../look.js'
import type { Joint, Point } from '../rig/points.js'

/** The inputs of a pose besides time. */
export type PosedPet = Pick<Look, 'species' | 'traits'>

/** The height of the near feet, in the square of 1024 pixels that all drawings share. */
export const ground = 800
/** The far feet are slightly higher, because the ground is seen from above. */
export const farGround = ground - 13
/** Width of a pet's outline. */
export const lineWidth = 4

export interface Leg {
  /** From the body to just above the paw. */
  readonly joints: readonly Joint[]
  /** The paw's contact with the ground, and its rotation onto the toes. */
  readonly paw: { readonly at: Point; readonly degrees: number; readonly scale: number; readonly length: number }
  readonly near: boolean
  /** True for a foot that lies in front of the folded thigh. */
  readonly overHaunch?: boolean
}

export interface Face {
  /** 1 open, 0 shut. */
  readonly eyes: number
  /** 0 for a closed mouth to 1 for a wide open one. */
  readonly pant: number
  /** Degrees by which both ears are laid back. */
  readonly ears: number
  /** Degrees by which the near ear alone twitches. */
  readonly twitch: number
  /** Direction of the eyes: -1 to 1 to the front and down; straight on by default. */
  readonly gaze?: Point
}

/** A pet at one moment: everything that depends on pose and time, without colors. */
export interface Stance {
  readonly hip: Point
  readonly shoulder: Point
  /** Distance of back and belly from the line between hip and shoulder, which an arched back is bent away from. */
  readonly girth: { readonly above: number; readonly below: number; readonly arch?: number }
  /** Closed outlines: the trunk, and the pale underside on it. */
  readonly torso: readonly Point[]
  readonly belly: readonly Point[]
  readonly chest: Point
  readonly neck: readonly Joint[]
  /** A turned head looks back, over the shoulder. */
  readonly head: { readonly at: Point; readonly degrees: number; readonly turned?: boolean }
  readonly face: Face
  readonly legs: readonly Leg[]
  /** The folded thigh of a sitting or lying pet. */
  readonly haunch: readonly Point[] | undefined
  readonly tail: { readonly joints: readonly Joint[]; readonly inFront: boolean }
  readonly shadow: { readonly x: number; readonly width: number; readonly strength: number }
}

const fullTurn = 2 * Math.PI

/** A sine with `times` whole waves per loop, so that end and start meet. `lag` is a fraction of one wave. */
export function wave(phase: number, times: number, lag = 0): number {
  return Math.sin(fullTurn * (phase * times - lag))
}

/** 0 outside a part of the loop, rising to 1 in its middle. */
export function bump(phase: number, from: number, to: number): number {
  if (phase <= from || phase >= to) return 0
  const s = Math.sin((Math.PI * (phase - from)) / (to - from))
  return s * s
}
