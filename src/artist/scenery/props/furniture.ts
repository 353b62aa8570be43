import { oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, glow, pawPrint } from '../marks.js'
import { fire } from './outdoors.js'

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
    at(-82, -6, stethoscope(kit)),
  ].join('')
}

function stethoscope({ thing }: Kit): string {
  const tube = thing(0.35, 0.03, 4.3)
  return [
    stroke('M850 786Q846 720 880 690T950 700Q976 730 940 760T884 800', tube, 11),
    stroke('M850 786L832 812M850 786L874 814', tube, 9),
    oval(884, 800, 24, 19, thing(0.72, 0.015, 4.2)),
    oval(884, 797, 14, 10, thing(0.9, 0.01, 4)),
  ].join('')
}
