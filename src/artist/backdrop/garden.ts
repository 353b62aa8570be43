import { point } from '../rig/points.js'
import { ellipse, num, path, rect, stroke } from '../rig/svg.js'
import { bush, flower, hills, sky, tree, tuft } from './nature.js'
import { hues, type Scene, type Stage, verticalGradient, width } from './stage.js'

/** A garden behind a white fence, with flowers and a butterfly. */
export function garden(stage: Stage): Scene {
  const { tone } = stage
  const leaves = {
    trunk: tone(0.58, 0.06, hues.wood),
    leaves: tone(0.72, 0.1, hues.leaf),
    light: tone(0.8, 0.11, hues.leaf),
  }
  const blade = tone(0.66, 0.125, hues.grass)
  const ground = tone(0.82, 0.105, hues.grass)
  const behind = [
    sky(stage, 640, 150),
    hills(tone(0.87, 0.06, hues.leaf, 0.4), 520, 130),
    tree(118, 690, 1.35, leaves),
    tree(936, 690, 1.1, leaves),
    fence(stage),
    bush(60, 742, 0.95, tone(0.68, 0.11, hues.leaf), leaves.light),
    bush(884, 744, 1.05, tone(0.68, 0.11, hues.leaf), leaves.light),
    verticalGradient('lawn', [
      [0, ground],
      [1, tone(0.72, 0.115, hues.grass)],
    ]),
    path('M0 742C200 722 420 730 560 734C760 740 900 724 1024 738V1024H0Z', 'url(#lawn)'),
    ...[
      [90, 800, 0.9],
      [250, 770, 0.7],
      [770, 776, 0.8],
      [950, 820, 1],
    ].map(([x = 0, y = 0, s = 1]) => tuft(x, y, s, blade)),
    flower(810, 742, 9, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    flower(866, 716, 8, tone(0.8, 0.11, hues.rose, 0.1), '#fff'),
    flower(936, 752, 10, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    flower(44, 716, 8, tone(0.8, 0.11, hues.rose, 0.1), '#fff'),
    flower(128, 744, 9, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    butterfly(stage),
  ]
  return { ground, behind: behind.join(''), front: foreground(stage, blade) }
}

function foreground({ tone }: Stage, blade: string): string {
  const petals = tone(0.8, 0.11, hues.rose, 0.1)
  return [
    tuft(70, 930, 1.6, blade),
    tuft(210, 990, 1.9, blade),
    tuft(420, 950, 1.4, blade),
    tuft(610, 1000, 1.8, blade),
    tuft(760, 930, 1.4, blade),
    flower(132, 950, 13, petals, '#fff'),
    flower(300, 984, 12, '#fff', tone(0.85, 0.15, hues.sun, 0)),
    flower(520, 974, 12, petals, '#fff'),
    flower(690, 984, 13, '#fff', tone(0.85, 0.15, hues.sun, 0)),
  ].join('')
}

function fence({ tone }: Stage): string {
  const shade = tone(0.88, 0.02, hues.sky)
  const pickets = Array.from({ length: 15 }, (_, index) => {
    const x = index * 74 - 20
    return `M${x} 744V596L${x + 21} 572L${x + 42} 596V744Z`
  })
  return (
    rect(0, 618, width, 18, shade) +
    rect(0, 690, width, 18, shade) +
    path(pickets.join(''), '#fff', `stroke="${shade}" stroke-width="3"`)
  )
}

/** Flies a figure of eight, its wings beating. */
function butterfly({ phase, accent, accentDark }: Stage): string {
  const turn = 2 * Math.PI * phase
  const at = `translate(${num(262 + 46 * Math.sin(turn))} ${num(400 + 26 * Math.sin(2 * turn))}) rotate(${num(14 + 8 * Math.sin(turn))})`
  const beat = 0.74 + 0.26 * Math.cos(turn * 10)
  const wing = 'M0 0C10-44 62-50 58-16C56 2 24 8 0 0C28 4 46 20 38 36C28 52 4 30 0 0Z'
  const wings = [1, -1].map((side) => path(wing, accent, `transform="scale(${num(side * beat)} 1)"`))
  return `<g transform="${at} scale(1.25)">${wings.join('')}${stroke('M0-18V30', accentDark, 7)}${ellipse(point(0, -22), 6, 6, accentDark)}</g>`
}
