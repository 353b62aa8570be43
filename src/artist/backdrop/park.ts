import { point } from '../rig/points.js'
import { ellipse, path, rect, stroke } from '../rig/svg.js'
import { bush, hills, sky, tree, tuft } from './nature.js'
import { hues, passing, type Scene, type Stage, width } from './stage.js'

/** A path through a park, with trees, bushes and lamps that pass. */
export function park(stage: Stage): Scene {
  const { tone } = stage
  const leaves = {
    trunk: tone(0.58, 0.06, hues.wood),
    leaves: tone(0.73, 0.1, hues.leaf),
    light: tone(0.81, 0.11, hues.leaf),
  }
  const blade = tone(0.64, 0.12, hues.grass)
  const ground = tone(0.8, 0.105, hues.grass)
  const behind = [
    sky(stage, 660, 330),
    passing(stage, 'hills', width, 0.5, hills(tone(0.88, 0.05, hues.leaf, 0.5), 500, 150)),
    passing(stage, 'trees', 512, 0.75, trees(leaves, tone(0.8, 0.08, hues.leaf, 0.3))),
    rect(0, 690, width, 90, ground),
    passing(stage, 'lamps', 512, 1, lampAndBush(stage, leaves.light)),
    rect(0, 762, width, 110, tone(0.9, 0.035, hues.sand)),
    rect(0, 762, width, 8, tone(0.72, 0.1, hues.grass), 'fill-opacity=".55"'),
    rect(0, 868, width, 156, tone(0.76, 0.115, hues.grass)),
    rect(0, 862, width, 10, tone(0.68, 0.11, hues.grass), 'fill-opacity=".6"'),
    passing(stage, 'near', 256, 1, pebbles(stage)),
  ]
  const verge =
    tuft(40, 900, 1.2, blade) + tuft(150, 950, 1.6, blade) + tuft(226, 892, 0.9, blade) + tuft(90, 1010, 1.8, blade)
  return { ground, behind: behind.join(''), front: passing(stage, 'verge', 256, 1, verge) }
}

function trees(near: Parameters<typeof tree>[3], distant: string): string {
  const far = { trunk: distant, leaves: distant, light: distant }
  return tree(70, 690, 0.8, far) + tree(300, 690, 0.7, far) + tree(176, 702, 1.3, near) + tree(410, 702, 1, near)
}

function lampAndBush({ tone }: Stage, light: string): string {
  const iron = tone(0.68, 0.035, hues.sky)
  return [
    bush(300, 756, 0.8, tone(0.69, 0.11, hues.leaf), light),
    stroke('M52 756V560M52 560C52 524 94 524 94 548', iron, 9),
    path('M74 548H114L105 582H83Z', tone(0.95, 0.07, hues.sun, 0)),
    path('M70 548Q94 524 118 548Z', iron),
    rect(40, 744, 24, 16, iron, 'rx="4"'),
  ].join('')
}

function pebbles({ tone }: Stage): string {
  const stone = tone(0.8, 0.04, hues.sand)
  const spots = [
    [26, 786, 9],
    [96, 842, 12],
    [150, 802, 7],
    [206, 832, 10],
    [238, 788, 6],
    [58, 822, 6],
  ] as const
  return spots.map(([x, y, size]) => ellipse(point(x, y), size, size * 0.5, stone)).join('')
}
