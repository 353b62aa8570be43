import type { DrawnPose } from '../../pet/poses/poses.js'
import { oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, glow, pawPrint, shadow } from '../marks.js'
import { fire } from './outdoors.js'
import { boneShape } from './toys.js'

/** As wide as the picture, because the pet is on it. */
export function sofa({ tone, thing, accent }: Kit): string {
  const cloth = tone(0.66, 0.07, 3.5, 0)
  const lit = tone(0.73, 0.065, 3.5, 0)
  const dark = tone(0.57, 0.07, 3.5, 0)
  const cushion = (color: string) => path('M-76-66Q0-90 76-66Q96 0 76 66Q0 88-76 66Q-96 0-76-66Z', color)
  return [
    shadow(520, 992, 512, 62),
    rect(70, 948, 50, 50, tone(0.45, 0.06, 1.1), 'rx="8"'),
    rect(720, 948, 50, 50, tone(0.45, 0.06, 1.1), 'rx="8"'),
    path('M40 800V500Q40 430 120 430H904Q984 430 984 500V800Z', cloth),
    path('M70 500Q74 456 124 454H900Q952 456 956 500Q740 476 512 478T70 500Z', lit),
    stroke('M512 446V780', dark, 6),
    at(190, 640, cushion(accent), 1, -10),
    at(300, 652, cushion(thing(0.9, 0.06, 1.4)), 0.86, 8),
    at(860, 640, cushion(thing(0.9, 0.06, 1.4)), 0.9, 10),
    rect(20, 766, 984, 120, lit, 'rx="34"'),
    rect(40, 850, 944, 122, cloth, 'rx="20"'),
    stroke('M512 858V966', dark, 6),
    path('M-30 972V650Q-30 592 24 592Q78 592 78 650V972ZM946 972V650Q946 592 1000 592Q1054 592 1054 650V972Z', cloth),
    stroke('M78 660V966M946 660V966', dark, 6),
  ].join('')
}

/** A soft bed around the pet. */
export function bedAround({ tone, thing }: Kit): string {
  const rim = tone(0.66, 0.075, 0.7, 0.05)
  return [
    shadow(520, 866, 500, 90),
    path(
      'M-16 800C-16 690 90 640 210 650C400 622 640 622 800 650C930 640 1040 690 1040 800Q1000 880 512 884T-16 800Z',
      rim,
    ),
    path(
      'M40 742C70 682 150 672 214 680C400 652 640 652 800 680C880 670 950 690 984 746Q960 704 800 706Q500 676 220 706Q80 704 40 742Z',
      tone(0.75, 0.07, 0.7, 0.05),
    ),
    oval(512, 812, 450, 74, thing(0.94, 0.03, 1.2)),
    path(
      'M-16 790C20 850 200 838 512 840S1000 850 1040 790C1056 880 1010 926 900 930Q500 950 124 930C20 926-34 880-16 790Z',
      rim,
    ),
    stroke('M20 838Q80 872 300 872', tone(0.76, 0.07, 0.7, 0.05), 12, 'stroke-opacity=".9"'),
    stroke('M200 862Q190 900 210 928M420 866V934M640 866V934M850 858Q866 896 850 926', tone(0.57, 0.075, 0.7, 0.05), 5),
  ].join('')
}

/** The poses in which the pet itself lies in the bed of a scene. */
export const nestPoses: readonly DrawnPose[] = ['lying', 'asleep', 'curled']

/** The same bed at a distance. */
export function bed(kit: Kit): string {
  // The other animal of the scene sits in it, and is drawn with it.
  if (kit.setting.props.includes('friend')) return ''
  return shadow(140) + bedBack(kit) + bedRim(kit)
}

/** The part of a bed behind the animal in it. */
export function bedBack({ tone, thing }: Kit): string {
  const cushion = oval(0, -52, 100, 36, thing(0.94, 0.03, 1.2))
  return (
    path('M-130-30C-136-96-60-108 0-106C60-108 136-96 130-30Q110 6 0 8T-130-30Z', tone(0.66, 0.075, 0.7, 0.05)) +
    cushion
  )
}

/** The part of a bed in front of the animal in it. */
export function bedRim({ tone }: Kit): string {
  return path('M-130-40C-110-14-60-16 0-16S110-14 130-40C140 0 110 10 0 12S-140 0-130-40Z', tone(0.72, 0.07, 0.7, 0.05))
}

const fishShape = 'M-60 0C-30-40 20-36 44-4L78-30Q68 0 78 30L44 4C20 36-30 40-60 0Z'

/** With water on a hot day, otherwise with food; on it a bone for dogs and a fish for cats. */
export function bowl({ look, setting, thing, accent, accentDark }: Kit): string {
  const crumbs =
    'M-40-62a11 9 0 1 1 20 0M-22-68a11 10 0 1 1 22 0M0-66a11 10 0 1 1 22 0M20-60a11 9 0 1 1 20 0M-10-76a11 9 0 1 1 20 0Z'
  return [
    shadow(88, 2),
    oval(0, -52, 66, 17, accentDark),
    ...(setting.weather === 'heat'
      ? [oval(0, -51, 58, 13, thing(0.78, 0.09, 4.1)), oval(-12, -53, 24, 4, '#fff', 'fill-opacity=".7"')]
      : [path(crumbs, thing(0.52, 0.09, 1)), oval(0, -54, 46, 9, thing(0.58, 0.09, 1))]),
    path('M-66-54Q0-26 66-54L88-6Q88 6 60 8H-60Q-88 6-88-6Z', accent),
    path('M40-45Q56-48 66-54L88-6Q88 6 60 8H34Q56-14 40-45Z', accentDark, 'fill-opacity=".55"'),
    look.species === 'cat'
      ? at(-8, -22, path(fishShape, '#fff', 'fill-opacity=".9"'), 0.44)
      : at(-8, -12, path(boneShape, '#fff', 'fill-opacity=".9"'), 0.34),
  ].join('')
}

/** An open cardboard box. */
export const box = (kit: Kit): string => at(-200, -365, openBack(kit) + openFront(kit), 0.42)

/** On a bare floor, the box that the pet sits in is one of many of a removal; elsewhere it is a castle. */
const isRemoval = ({ setting }: Kit) => setting.ground === 'floor'

/** The part of a box behind the pet that sits in it. */
export const boxBack = (kit: Kit): string => (isRemoval(kit) ? cartons(kit) + openBack(kit) : castleBack(kit))
export const boxFront = (kit: Kit): string => (isRemoval(kit) ? openFront(kit) : castleFront(kit))

/** Closed boxes along the wall. */
function cartons({ thing }: Kit): string {
  const carton = (x: number, y: number, width: number, height: number, light: number) =>
    rect(x, y, width, height, thing(light, 0.07, 1.15), 'rx="4"') +
    rect(x + width * 0.4, y, width * 0.2, height * 0.4, thing(0.87, 0.05, 1.3)) +
    stroke(`M${x} ${y + 3}h${width}`, thing(0.55, 0.07, 1.1), 6)
  return [
    carton(2, 586, 160, 158, 0.72) + carton(30, 490, 112, 96, 0.68),
    carton(816, 548, 216, 196, 0.7) + carton(856, 420, 176, 128, 0.76),
  ].join('')
}

function castleBack({ thing }: Kit): string {
  const wall = 'M208 700V570h58v36h58v-36h58v36h58v-36h58v36h58v-36h58v36h58v-36h58V700Z'
  return shadow(340, 872, 484, 34) + path(wall, thing(0.58, 0.07, 1.1))
}

function castleFront({ thing }: Kit): string {
  const [front, dark] = [thing(0.76, 0.075, 1.15), thing(0.42, 0.06, 1.05)]
  return [
    path('M154 876V638h70v44h70v-44h70v44h70v-44h70v44h70v-44h70v44h70v-44h70V876Z', front),
    path('M414 876V796Q414 738 469 738T524 796V876ZM256 800V760Q256 730 284 730T312 760V800Z', dark),
    path('M626 800V760Q626 730 654 730T682 760V800Z', dark),
  ].join('')
}

function openBack({ thing }: Kit): string {
  const flap = thing(0.68, 0.075, 1.15)
  return [
    shadow(340, 872, 484, 34),
    path('M210 690L268 618H720L768 690Z', thing(0.5, 0.06, 1.1)),
    path('M210 690L104 636L160 560L268 618ZM768 690L872 650L820 574L720 618Z', flap),
  ].join('')
}

function openFront({ thing }: Kit): string {
  const [front, dark] = [thing(0.76, 0.075, 1.15), thing(0.55, 0.07, 1.1)]
  return [
    path('M210 690H768V876H210Z', front),
    path('M210 690H768L806 752H172Z', thing(0.82, 0.07, 1.2)),
    path('M172 752H806L800 762H178Z', dark, 'fill-opacity=".35"'),
    rect(444, 756, 88, 120, thing(0.87, 0.05, 1.3)),
    stroke('M640 850V790M622 808L640 788L658 808M700 850V790M682 808L700 788L718 808', dark, 8),
  ].join('')
}

export function books({ thing, accent }: Kit): string {
  const book = (y: number, x: number, width: number, color: string) =>
    rect(x, y - 36, width, 36, color, 'rx="6"') +
    rect(x + width - 22, y - 29, 24, 22, thing(0.96, 0.015, 1.5)) +
    rect(x + 18, y - 36, 8, 36, '#fff', 'fill-opacity=".45"')
  const ink = thing(0.5, 0.05, 1)
  return [
    shadow(104),
    book(0, -96, 196, thing(0.5, 0.1, 4.4)),
    book(-36, -82, 172, thing(0.62, 0.14, 0.55)),
    book(-72, -92, 180, accent),
    book(-108, -70, 150, thing(0.78, 0.13, 1.45)),
    path(
      'M-67-146V-172Q-31-192 5-168Q41-192 77-172V-146Z',
      thing(0.97, 0.012, 1.5),
      `stroke="${ink}" stroke-width="4"`,
    ),
    stroke('M5-168V-146', ink, 4),
  ].join('')
}

/** A desk with an open laptop. */
export function laptop({ tone, thing }: Kit): string {
  const wood = tone(0.64, 0.085, 1.15, 0)
  const dark = tone(0.52, 0.08, 1.1, 0)
  return [
    path('M20 560H60V760H20ZM400 560H440V760H400Z', dark),
    rect(-10, 536, 480, 34, wood, 'rx="8"'),
    rect(250, 570, 160, 80, dark),
    rect(310, 600, 40, 10, wood, 'rx="5"'),
    path('M120 380H330Q340 380 342 392L352 524H98L108 392Q110 380 120 380Z', thing(0.36, 0.015, 4.4)),
    path('M124 394H326L335 510H115Z', thing(0.8, 0.08, 4.1)),
    path('M124 394H240L190 510H115Z', '#fff', 'fill-opacity=".25"'),
    at(226, 458, pawPrint('#fff')),
    path('M84 524H366L384 540H66Z', thing(0.75, 0.012, 4.2)),
    path(
      'M30 470H74L70 536H34ZM74 482q26 0 22 20t-24 16',
      thing(0.95, 0.02, 1.4),
      `stroke="${thing(0.6, 0.14, 0.6)}" stroke-width="5"`,
    ),
  ].join('')
}

/** A stone fireplace with a fire. */
export function fireplace({ tone }: Kit): string {
  const stone = tone(0.72, 0.03, 1.1)
  const seam = tone(0.6, 0.03, 1.1)
  return [
    path('M60 0H400V300H60Z', tone(0.76, 0.028, 1.1)),
    rect(14, 290, 434, 40, tone(0.5, 0.07, 1.05, 0), 'rx="8"'),
    rect(34, 330, 394, 400, stone),
    stroke(
      'M34 400H100M360 400H428M34 480H100M360 480H428M34 560H100M360 560H428M34 640H100M360 640H428M66 330V400M396 400V480M66 480V560M396 560V640M140 330V372M230 330V366M320 330V372M60 100H400M60 200H400M180 0V100M300 100V200M140 200V290',
      seam,
      5,
    ),
    path('M100 730V470Q100 380 230 380T360 470V730Z', '#2a1f22'),
    glow('hearth', 230, 610, 380, '#ffb04d', 0.75),
    fire(230, 712, 1.3),
    at(110, 288, path('M-20 0V-60H20V0ZM-6-60V-74', tone(0.9, 0.03, 1.5), 'stroke="#555" stroke-width="3"')),
    at(340, 288, path('M-26 0Q-34-40 0-44Q34-40 26 0Z', tone(0.6, 0.1, 0.6))),
  ].join('')
}

/** A bath tub with foam, on the left. */
export function tub({ tone, thing }: Kit): string {
  const [enamel, shade] = [tone(0.84, 0.055, 4.1, 0), tone(0.75, 0.06, 4.15, 0)]
  const foam = [40, 90, 150, 200, 260, 310].map((x, index) => oval(x, 494 - (index % 2) * 16, 44, 38, '#fff'))
  const bubble = (x: number, y: number, radius: number) =>
    oval(x, y, radius, radius, '#e8f7ff', 'fill-opacity=".55" stroke="#fff" stroke-width="3"') +
    oval(x - radius * 0.35, y - radius * 0.35, radius * 0.2, radius * 0.2, '#fff')
  return [
    stroke('M330 520V392Q330 350 292 350Q262 350 262 384', thing(0.7, 0.02, 4.2), 17),
    ...foam,
    path('M-40 510H364Q370 700 280 716H10Q-40 700-40 510Z', enamel),
    path('M280 510H364Q370 700 280 716H200Q300 690 280 510Z', shade),
    rect(-40, 496, 424, 34, tone(0.97, 0.01, 4), 'rx="17"'),
    stroke('M40 716V746M250 716V746', thing(0.74, 0.1, 1.5), 22),
    bubble(70, 380, 22) + bubble(150, 330, 30) + bubble(262, 372, 18) + bubble(200, 250, 16),
    bubble(330, 300, 24) + bubble(820, 260, 26) + bubble(900, 400, 18) + bubble(780, 480, 14),
  ].join('')
}

/** A vet's equipment: a lamp over the table and a stethoscope on it. */
export function vetTable(kit: Kit): string {
  const { thing } = kit
  const steel = thing(0.72, 0.015, 4.2)
  return [
    glow('examination', 420, 190, 330, '#fffbe0', 0.75),
    stroke('M380-10V70L430 130', steel, 16),
    path('M350 160Q360 104 430 104T510 160Z', thing(0.96, 0.01, 4)),
    oval(430, 160, 80, 15, '#fff3bf'),
    stethoscope(kit),
  ].join('')
}

function stethoscope({ thing }: Kit): string {
  const [tube, steel] = [thing(0.35, 0.03, 4.3), thing(0.66, 0.015, 4.2)]
  return [
    stroke('M750 800C790 778 820 790 834 816M750 842C790 856 820 846 834 816', steel, 8),
    stroke('M744 798l10 3M744 843l10-3', tube, 15),
    stroke('M828 816C880 816 868 782 906 782S950 812 902 836', tube, 11),
    oval(884, 844, 32, 18, steel),
    oval(884, 839, 30, 15, thing(0.92, 0.01, 4), `stroke="${tube}" stroke-width="4"`),
  ].join('')
}
