import { points } from '../../rig/points.js'
import { oval, path, rect, stroke, width } from '../../rig/svg.js'
import { hues, type Kit, landColor, row, type Thing } from '../kit.js'
import { at, band, gradient, shadow, spread, star } from '../marks.js'
import { growth, leaves } from '../plants.js'
import { type BaseGround, baseOf, type Ground, isIndoors, isSnowy } from '../setting.js'

/** Covers lie on the ground of the place; all other grounds replace it. */
const covers: readonly Ground[] = ['rug', 'blanket', 'table']

/** The ground below all furniture. */
export function drawGround(kit: Kit): string {
  const { place, ground, weather } = kit.setting
  const terrace = place === 'street' && covers.includes(ground)
  const base = covers.includes(ground) ? (terrace ? 'deck' : baseOf[place]) : ground
  // A seat does not fill its corners: outside a car it stands on the ground of the place.
  const below = base === 'seat' && place !== 'car' ? grounds[baseOf[place]](kit) : ''
  const wet = (weather === 'rain' || weather === 'storm') && !isIndoors(kit.setting)
  return below + grounds[base](kit) + (wet ? puddles(kit) : '')
}

/** The cover on the ground, below the pet. */
export function drawCover(kit: Kit): string {
  const { ground, place } = kit.setting
  return covers.includes(ground) && baseOf[place] !== ground ? grounds[ground](kit) : ''
}

export const grounds: Readonly<Record<Ground, (kit: Kit) => string>> = {
  floor,
  rug,
  blanket,
  seat,
  table,
  grass,
  leaves: autumnLeaves,
  path: trail,
  pavement,
  sand,
  snow: grass,
  deck,
}

function puddles(kit: Kit): string {
  const water = kit.tone(0.84, 0.05, hues.sky)
  const puddle = (x: number, y: number, radius: number) =>
    oval(x, y, radius, radius * 0.17, water, 'fill-opacity=".8"') +
    oval(x, y, radius * 0.5, radius * 0.08, 'none', 'stroke="#fff" stroke-width="3" stroke-opacity=".7"')
  return puddle(150, 900, 130) + puddle(640, 946, 150) + puddle(930, 790, 90)
}

function rug(kit: Kit): string {
  // As for the wall of the room: in lamplight a blue one would look gray.
  const wool = (l: number, c: number) =>
    kit.setting.time === 'evening' ? kit.tone(l, c, hues.rose, 0) : kit.tone(l, c, hues.sky, 0.9)
  const stitches = `stroke="${kit.accent}" stroke-width="9" stroke-opacity=".55" stroke-dasharray="26 20"`
  return [
    shadow(478, 836, 498, 112),
    oval(498, 826, 478, 108, wool(0.9, 0.045)),
    oval(498, 826, 446, 96, 'none', stitches),
    oval(498, 826, 408, 84, wool(0.85, 0.06)),
    oval(498, 826, 348, 68, wool(0.89, 0.045)),
  ].join('')
}

/** Checked, with soft corners. */
function blanket({ thing, accent }: Kit): string {
  const outline = 'M96 772Q500 746 930 770Q986 830 1000 902Q500 934 18 906Q40 826 96 772Z'
  const check = (d: string) => path(d, accent, 'fill-opacity=".38"')
  return [
    at(0, 12, path(outline, '#1b1c2e', 'fill-opacity=".12"')),
    path(outline, thing(0.93, 0.03, 1.3)),
    check('M240 762L330 760L290 918L180 914ZM480 757H570L576 924H472ZM720 759L806 763L868 914L758 920Z'),
    check(
      'M76 796Q500 772 950 794Q962 808 970 822Q500 800 56 826ZM40 858Q500 836 988 856Q994 872 998 888Q500 872 26 890Z',
    ),
  ].join('')
}

/** A padded table on a pillar. */
function table({ tone, thing, accent }: Kit): string {
  return [
    path('M420 880H604L640 1024H384Z', tone(0.7, 0.015, hues.sky)),
    shadow(300, 1012, 512, 30),
    rect(40, 866, 944, 34, tone(0.78, 0.015, hues.sky), 'rx="14"'),
    rect(40, 886, 944, 14, tone(0.66, 0.015, hues.sky), 'rx="7"'),
    path(
      'M100 770H924Q960 770 974 812L990 850Q994 874 960 874H64Q30 874 36 850L50 812Q64 770 100 770Z',
      tone(0.74, 0.09, 3.2, 0),
    ),
    path('M100 770H924Q950 770 962 796H62Q74 770 100 770Z', tone(0.8, 0.085, 3.2, 0)),
    path('M230 776H800L824 862H206Z', thing(0.97, 0.01, 1.5)),
    stroke('M220 812H810M212 838H818', accent, 6, 'stroke-opacity=".5"'),
  ].join('')
}

function pavement(kit: Kit): string {
  const seams =
    'M0 786H1024M0 846H1024M150 738L110 786M420 738L400 786M690 738L700 786M940 738L970 786M240 786L210 846M560 786V846M860 786L890 846M70 846L20 908M400 846L380 908M720 846L740 908'
  const snow = 'M0 738H1024V752Q900 764 760 752Q560 742 380 756Q180 766 0 750Z'
  return [
    band(738, 220, groundColors.pavement(kit)),
    stroke(seams, kit.tone(0.77, 0.015, hues.sand), 4),
    band(738, 8, kit.tone(0.7, 0.02, hues.sand)),
    band(904, 26, kit.tone(0.76, 0.012, hues.sky)),
    band(926, 98, kit.tone(0.56, 0.012, hues.sky)),
    stroke('M60 990H220M360 990H520M660 990H760', kit.tone(0.93, 0.01, 1.5), 12, '', 'butt'),
    kit.setting.season === 'winter' ? path(snow, kit.snow) : '',
    kit.setting.season === 'autumn' ? litter(kit, 10) : '',
  ].join('')
}

function deck(kit: Kit): string {
  const seams = [-700, -420, -180, 40, 250, 450, 640, 840, 1060, 1320, 1640].map(
    (x, index) => `M${512 + (index - 5) * 86} 742L${x} 1024`,
  )
  return [
    band(738, 286, groundColors.deck(kit)),
    stroke(seams.join(''), kit.tone(0.58, 0.065, hues.wood, 0.1), 6),
    band(734, 16, kit.tone(0.62, 0.065, hues.wood, 0.1)),
  ].join('')
}

/** Tiles in a clinic, planks elsewhere, with the light of the window on a fine day. */
function floor(kit: Kit): string {
  const { place, weather, time } = kit.setting
  const base = band(706, 318, groundColors.floor(kit))
  if (place === 'clinic') {
    const seams = 'M0 760H1024M0 850H1024M160 706L40 1024M400 706L350 1024M640 706L670 1024M880 706L980 1024'
    return base + stroke(seams, kit.tone(0.81, 0.025, 2.9), 4)
  }
  const seams =
    'M0 746H1024M0 812H1024M0 892H1024M0 980H1024M180 706V746M560 706V746M860 706V746M60 746V812M400 746V812M760 746V812M250 812V892M930 812V892M110 892V980M640 892V980M420 980V1024M820 980V1024'
  const sunny = ['sun', 'heat', 'wind'].includes(weather) && (time === 'day' || time === 'morning')
  return [
    base,
    stroke(seams, kit.tone(0.75, 0.06, hues.wood, 0.1), 3),
    sunny ? path('M86 706L400 706L740 1024H250Z', '#fff8dc', 'fill-opacity=".28"') : '',
  ].join('')
}

/** The rear seat of a car. */
function seat(kit: Kit): string {
  const leather = (lightness: number) => kit.tone(lightness, 0.075, 1.05, 0)
  return [
    band(780, 244, groundColors.seat(kit)),
    path('M-20 790Q0 752 60 752H940Q1010 752 1030 800V930H-20Z', leather(0.7)),
    path('M-20 880H1030V970Q500 990-20 970Z', leather(0.62)),
    stroke('M250 758V880M512 756V880M774 758V880', leather(0.55), 6),
    path('M180 774Q500 752 850 774Q890 820 880 852Q500 876 150 850Q150 806 180 774Z', kit.accent, 'fill-opacity=".8"'),
    stroke('M176 842Q500 866 864 842', '#fff', 5, 'stroke-opacity=".6" stroke-dasharray="16 14"'),
  ].join('')
}

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

function grass(kit: Kit): string {
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
function litter(kit: Kit, count: number): string {
  const { season, place } = kit.setting
  const spots = spread(count, { x: 20, y: 750, width: 980, height: 260 })
  if (season === 'autumn') {
    return leaves(kit, 'litter', spots)
  }
  if (season !== 'spring' || place !== 'park') return ''
  return spots.map(({ x, y }) => oval(x, y, 9, 5, kit.thing(0.88, 0.07, 0.2))).join('')
}

function autumnLeaves(kit: Kit): string {
  const spots = spread(64, { x: 0, y: 744, width, height: 280 })
  return grass(kit) + leaves(kit, 'carpet', spots)
}

/** A path with stones through grass. */
function trail(kit: Kit): string {
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

function sand(kit: Kit): string {
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

/** The color of each ground that a place has by default. */
export const groundColors: Readonly<Record<BaseGround, (kit: Kit) => string>> = {
  floor: (kit) => (kit.setting.place === 'clinic' ? kit.tone(0.88, 0.02, 2.9) : kit.tone(0.82, 0.055, hues.wood, 0.1)),
  seat: (kit) => kit.tone(0.36, 0.015, 4.4, 0),
  grass: (kit) => landColor(kit),
  deck: (kit) => kit.tone(0.72, 0.07, hues.wood, 0.1),
  sand: (kit) => kit.tone(0.9, 0.05, hues.sand, 0.08),
  pavement: (kit) => kit.tone(0.85, 0.015, hues.sand),
}
