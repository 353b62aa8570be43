import type { Look } from '../look.js'
import type { Joint, Point } from '../rig/points.js'

/** What a pose depends on besides time. */
export type Pet = Pick<Look, 'species' | 'traits'>

/** The height at which the near feet stand, on the 1024 pixel square all drawings share. */
export const ground = 800
/** The far feet stand a little higher: the ground is seen from above. */
export const farGround = ground - 13
/** The width of the line around a pet. */
export const lineWidth = 4

export interface Leg {
  /** From the body down to just above the paw. */
  readonly joints: readonly Joint[]
  /** Where the paw meets the ground, and how far it is tipped on its toes. */
  readonly paw: { readonly at: Point; readonly degrees: number; readonly scale: number; readonly length: number }
  readonly near: boolean
}

export interface Face {
  /** 1 open, 0 shut. */
  readonly eyes: number
  /** 0 a closed mouth, to 1 a wide open one. */
  readonly pant: number
  /** Degrees by which the ears are thrown back. */
  readonly ears: number
  /** Degrees by which the near ear alone twitches. */
  readonly twitch: number
}

/** A pet in one moment: all that depends on pose and time, and nothing of its colours. */
export interface Stance {
  readonly hip: Point
  readonly shoulder: Point
  /** How far the back and the belly lie from the line between hip and shoulder. */
  readonly girth: { readonly above: number; readonly below: number }
  /** Closed outlines: the trunk, and the pale underside on it. */
  readonly torso: readonly Point[]
  readonly belly: readonly Point[]
  readonly chest: Point
  readonly neck: readonly Joint[]
  readonly head: { readonly at: Point; readonly degrees: number }
  readonly face: Face
  readonly legs: readonly Leg[]
  /** The folded thigh of a pet that sits or lies. */
  readonly haunch: readonly Point[] | undefined
  readonly tail: { readonly joints: readonly Joint[]; readonly inFront: boolean }
  readonly shadow: { readonly x: number; readonly width: number; readonly strength: number }
}

const fullTurn = 2 * Math.PI

/** A sine of which `times` whole waves fit the loop, so that end and start meet. `lag` is a part of one wave. */
export function wave(phase: number, times: number, lag = 0): number {
  return Math.sin(fullTurn * (phase * times - lag))
}

/** 0 outside, rising to 1 in the middle of a part of the loop. */
export function bump(phase: number, from: number, to: number): number {
  if (phase <= from || phase >= to) return 0
  const s = Math.sin((Math.PI * (phase - from)) / (to - from))
  return s * s
}
