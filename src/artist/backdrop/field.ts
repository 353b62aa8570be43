import { rect } from '../rig/svg.js'
import { flower, hills, sky, tree, tuft } from './nature.js'
import { hues, passing, type Scene, type Stage, verticalGradient, width } from './stage.js'

/** A flowering field below hills. */
export function field(stage: Stage): Scene {
  const { tone } = stage
  const distant = tone(0.76, 0.085, hues.leaf, 0.3)
  const shrub = { trunk: distant, leaves: distant, light: tone(0.82, 0.09, hues.leaf, 0.3) }
  const blade = tone(0.66, 0.12, hues.grass)
  const ground = tone(0.83, 0.11, hues.grass)
  const behind = [
    sky(stage, 660, 880),
    passing(stage, 'hills', width, 0.45, hills(tone(0.89, 0.045, hues.leaf, 0.5), 470, 160)),
    passing(stage, 'slopes', width, 0.5, hills(tone(0.84, 0.08, hues.grass, 0.3), 580, 110, 1)),
    passing(
      stage,
      'trees',
      512,
      0.7,
      tree(120, 706, 0.8, shrub) + tree(200, 706, 0.56, shrub) + tree(430, 706, 0.66, shrub),
    ),
    verticalGradient('meadow', [
      [0, ground],
      [1, tone(0.73, 0.12, hues.grass)],
    ]),
    rect(0, 700, width, 324, 'url(#meadow)'),
    passing(
      stage,
      'rows',
      256,
      0.85,
      [20, 84, 150, 214].map((x, index) => tuft(x, 730 + (index % 2) * 14, 0.9, tone(0.74, 0.12, hues.grass))).join(''),
    ),
    passing(stage, 'near', 360, 1, near(stage, blade)),
  ]
  return { ground, behind: behind.join(''), front: passing(stage, 'blooms', 360, 1, blooms(stage, blade)) }
}

function near({ tone }: Stage, blade: string): string {
  return [
    tuft(40, 792, 1, blade),
    tuft(170, 830, 1.2, blade),
    tuft(300, 786, 0.9, blade),
    flower(110, 782, 8, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    flower(252, 838, 9, tone(0.8, 0.11, hues.rose, 0.1), '#fff'),
  ].join('')
}

function blooms({ tone }: Stage, blade: string): string {
  const petals = tone(0.78, 0.12, hues.rose, 0.1)
  return [
    tuft(30, 930, 1.7, blade),
    tuft(150, 980, 2, blade),
    tuft(270, 910, 1.4, blade),
    flower(90, 920, 13, petals, '#fff'),
    flower(220, 962, 14, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    flower(320, 1000, 13, tone(0.88, 0.13, hues.sun, 0), '#fff'),
  ].join('')
}
