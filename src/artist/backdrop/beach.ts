import { point } from '../rig/points.js'
import { ellipse, path, rect, stroke } from '../rig/svg.js'
import { hills, sky } from './nature.js'
import { hues, passing, type Scene, type Stage, verticalGradient, width } from './stage.js'

/** Wet sand along a sea with islands and a sail. */
export function beach(stage: Stage): Scene {
  const { tone, phase } = stage
  const sea = (lightness: number) => tone(lightness, 0.085, 3.75, 0.12)
  const ground = tone(0.9, 0.05, hues.sand, 0.08)
  const swell = 5 * Math.sin(2 * Math.PI * phase)
  const behind = [
    sky(stage, 560, 860),
    passing(
      stage,
      'islands',
      width,
      0.45,
      `<g transform="translate(0 20)">${hills(tone(0.8, 0.055, hues.leaf, 0.4), 470, 80, 1)}</g>`,
    ),
    verticalGradient('sea', [
      [0, sea(0.72)],
      [1, sea(0.84)],
    ]),
    rect(0, 552, width, 200, 'url(#sea)'),
    passing(stage, 'sails', width, 0.5, `<g transform="translate(-285 160) scale(.7)">${sail(stage)}</g>`),
    passing(stage, 'far-waves', 256, 0.35, wave(590, 256, 0.4)),
    passing(stage, 'waves', 256, 0.6, wave(642, 256, 0.6)),
    verticalGradient('sand', [
      [0, ground],
      [1, tone(0.84, 0.065, hues.sand, 0.08)],
    ]),
    rect(0, 706, width, 318, 'url(#sand)'),
    rect(0, 700, width, 44 + swell, tone(0.8, 0.045, hues.sand, 0.2)),
    passing(stage, 'foam', 256, 0.8, foam(696 + swell)),
    passing(stage, 'near', 360, 1, shells(stage)),
  ]
  return { ground, behind: behind.join(''), front: passing(stage, 'dunes', 720, 1, dunes(stage)) }
}

function wave(y: number, tile: number, strength: number): string {
  const d = `M${tile * 0.08} ${y}q${tile * 0.1}-10 ${tile * 0.2} 0t${tile * 0.2} 0M${tile * 0.6} ${y + 22}q${tile * 0.08}-8 ${tile * 0.16} 0`
  return stroke(d, '#fff', 5, `stroke-opacity="${strength}"`)
}

function foam(y: number): string {
  const d = `M0 ${y}C40 ${y + 16} 84 ${y + 18} 128 ${y + 4}C170 ${y - 8} 214 ${y - 10} 256 ${y}V${y + 14}C214 ${y + 4} 170 ${y + 6} 128 ${y + 18}C84 ${y + 32} 40 ${y + 30} 0 ${y + 14}Z`
  return rect(0, y - 40, 257, 46, '#fff', 'fill-opacity=".18"') + path(d, '#fff', 'fill-opacity=".9"')
}

function sail({ accent, tone }: Stage): string {
  return [
    path('M640 566H742L724 590H660Z', tone(0.6, 0.06, hues.wood, 0)),
    path('M688 446V558H636C656 530 680 490 688 446Z', '#fff'),
    path('M696 462C716 500 732 530 746 558H696Z', accent, 'fill-opacity=".85"'),
    stroke('M692 440V566', tone(0.5, 0.05, hues.wood, 0), 5),
  ].join('')
}

function shells({ tone }: Stage): string {
  const dark = tone(0.75, 0.065, hues.sand, 0.08)
  return [
    stroke('M20 786h54M150 838h70M250 776h44M300 862h44M60 872h36', dark, 5, 'stroke-opacity=".6"'),
    ellipse(point(120, 806), 8, 5, dark),
    path('M210 794c-16-2-20-22-2-28c18 4 18 24 2 28Z', tone(0.86, 0.07, hues.rose, 0)),
    stroke('M209 792v-22M209 792l-8-18M209 792l8-18', tone(0.75, 0.08, hues.rose, 0), 2.4),
    ellipse(point(330, 820), 9, 5, '#fff', 'fill-opacity=".8"'),
  ].join('')
}

function dunes({ tone }: Stage): string {
  const sand = tone(0.79, 0.065, hues.sand, 0.08)
  return [
    stroke(
      'M40 930q60-14 130 0M420 960q70-16 150 0M250 1000q50-12 110 0M600 914q40-10 90 0',
      sand,
      7,
      'stroke-opacity=".75"',
    ),
    path(
      'M330 930l7 17l18 1l-14 12l5 18l-16-10l-15 10l4-18l-14-12l18-1Z',
      tone(0.72, 0.13, 0.75, 0),
      'stroke-linejoin="round"',
    ),
  ].join('')
}
