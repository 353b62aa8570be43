import { points } from '../../rig/points.js'
import { oval, path, stroke, width } from '../../rig/svg.js'
import { hues, type Kit, landColor, row, type Thing } from '../kit.js'
import { at, band, gradient, spread, star } from '../marks.js'
import { growth, leaves } from '../plants.js'
import { isSnowy } from '../setting.js'
import { groundColors } from './colors.js'

/** Plants of a lawn, from near to far. */
const clumps = points(
  '210,990 610,1000 420,950 70,930 740,930 320,900 960,806 90,800 500,880 150,850 440,790 790,784 250,776 870,762 130,760',
)

/** Soil from `top` down; its edge is flat below a pet that moves. */
function land(kit: Kit, top = 742): string {
  const edge = `M0 ${top}C200 ${top - 20} 420 ${top - 12} 560 ${top - 8}C760 ${top - 2} 900 ${top - 18} 1024 ${top - 4}`
  return (
    gradient('land', landColor(kit), landColor(kit, 0.085)) +
    path(`${kit.travel > 0 ? `M0 ${top}H1024` : edge}V1024H0Z`, 'url(#land)')
  )
}

export function grass(kit: Kit): string {
  const snowy = isSnowy(kit.setting)
  const drifts = 'M60 860q90-22 180 0M560 900q110-24 220 0M220 970q90-20 170 0M820 800q60-16 130 0'
  const patch = (x: number, y: number, radius: number) =>
    oval(x, y, radius, radius * 0.17, kit.snow, 'fill-opacity=".8"')
  return [
    land(kit),
    kit.setting.season === 'winter' && !snowy ? patch(110, 790, 120) + patch(860, 770, 150) + patch(420, 960, 210) : '',
    // That of the tree in a garden.
    kit.setting.place === 'garden' && kit.setting.weather === 'heat'
      ? oval(380, 824, 560, 74, landColor(kit, 0.12))
      : '',
    snowy ? stroke(drifts, landColor(kit, 0.1), 8, 'stroke-opacity=".6"') : '',
    row(kit, 'near', 1, growth(kit, clumps)),
    litter(kit, 14),
  ].join('')
}

/** Leaves in autumn, and petals in spring below the trees of a park. */
export function litter(kit: Kit, count: number): string {
  const { season, place } = kit.setting
  const spots = spread(count, { x: 20, y: 750, width: 980, height: 260 })
  if (season === 'autumn') {
    return leaves(kit, 'litter', spots)
  }
  if (season !== 'spring' || place !== 'park') return ''
  return spots.map(({ x, y }) => oval(x, y, 9, 5, kit.thing(0.88, 0.07, 0.2))).join('')
}

export function autumnLeaves(kit: Kit): string {
  const spots = spread(64, { x: 0, y: 744, width, height: 280 })
  return grass(kit) + leaves(kit, 'carpet', spots)
}

/** A path with stones through grass. */
export function trail(kit: Kit): string {
  const way = isSnowy(kit.setting) ? kit.tone(0.9, 0.02, hues.sky) : kit.tone(0.89, 0.04, hues.sand)
  const stone = kit.tone(0.79, 0.04, hues.sand)
  const [top, low] =
    kit.travel > 0 ? ['0 760H1024', '1024 870H0'] : ['0 762Q260 752 512 760T1024 756', '1024 872Q760 864 512 872T0 868']
  const stones = spread(16, { x: 0, y: 778, width, height: 76 }).map(
    ({ x, y, index }): Thing => [x, () => oval(x, y, 6 + (index % 3) * 3, 3 + (index % 3) * 1.5, stone)],
  )
  return [
    land(kit, 748),
    path(`M${top}L${low}Z`, way),
    stroke(`M${top}M${low}`, landColor(kit, 0.12), 9, 'stroke-opacity=".55"'),
    row(kit, 'near', 1, stones),
    row(kit, 'verge', 1, growth(kit, clumps.slice(0, 6))),
    litter(kit, 22),
  ].join('')
}

export function sand(kit: Kit): string {
  const dark = kit.tone(0.77, 0.065, hues.sand, 0.08)
  const ripples = [
    [20, 'M20 800h54M150 838h70M300 782h44'],
    [40, 'M40 930q60-14 130 0M390 970q70-16 130 0'],
    [600, 'M600 914q40-10 90 0M840 850h44M700 786h44'],
  ] as const
  const prints = spread(7, { x: 40, y: 850, width: 700, height: 40 })
  return [
    gradient('sand', groundColors.sand(kit), kit.tone(0.84, 0.065, hues.sand, 0.08)),
    band(742, 282, 'url(#sand)'),
    row(kit, 'near', 1, [
      ...ripples.map(([x, d]): Thing => [x, () => stroke(d, dark, 6, 'stroke-opacity=".6"')]),
      ...prints.map(({ x, y }): Thing => [x, () => oval(x, y, 13, 8, dark, 'fill-opacity=".7"')]),
      [335, () => path(star(335, 950, 22), kit.thing(0.7, 0.14, 0.75))],
      [240, () => shell(kit, 240, 800)],
    ]),
  ].join('')
}

function shell({ thing }: Kit, x: number, y: number): string {
  const shape = path('M0 0c-16-2-20-22-2-28c18 4 18 24 2 28Z', thing(0.86, 0.07, hues.rose))
  return at(x, y, shape + stroke('M-1-2v-22M-1-2l-8-18M-1-2l8-18', thing(0.75, 0.08, hues.rose), 2.4))
}
