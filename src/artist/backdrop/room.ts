import { point } from '../rig/points.js'
import { ellipse, path, rect, stroke } from '../rig/svg.js'
import { hues, type Scene, type Stage, verticalGradient, width } from './stage.js'

/** A living room: a window, a plant, a wooden floor and a round rug. */
export function room(stage: Stage): Scene {
  const { tone } = stage
  const ground = tone(0.82, 0.055, hues.wood, 0.1)
  const behind = [
    verticalGradient('wall', [
      [0, tone(0.89, 0.04, hues.sky, 0.75)],
      [1, tone(0.93, 0.03, hues.sky, 0.75)],
    ]),
    rect(0, 0, width, 700, 'url(#wall)'),
    window(stage),
    pictures(stage),
    floor(stage, ground),
    path('M86 700L380 700L720 1024H250Z', '#fff', 'fill-opacity=".16"'),
    plant(stage),
    rug(stage),
  ]
  return { ground, behind: behind.join(''), front: '' }
}

function window(stage: Stage): string {
  const { tone, accent, accentDark } = stage
  const rod = stroke('M52 96H438', tone(0.6, 0.05, hues.wood, 0), 10)
  const glass = [
    rect(98, 118, 294, 330, tone(0.86, 0.06, hues.sky, 0.1)),
    ellipse(point(318, 196), 40, 40, '#fff2c4'),
    path('M98 372C160 318 220 330 270 366C320 338 360 344 392 366V448H98Z', tone(0.8, 0.09, hues.grass, 0.1)),
    path('M98 410C180 376 300 404 392 396V448H98Z', tone(0.73, 0.1, hues.grass, 0.1)),
  ]
  const frame = stroke('M98 118H392V448H98ZM245 118V448M98 270H392', '#fff', 15)
  const sill = rect(74, 446, 342, 20, '#fff', 'rx="6"')
  const left = 'M56 98H132C136 210 108 300 76 470Q62 476 50 470C58 340 58 220 56 98Z'
  const right = 'M434 98H358C354 210 382 300 414 470Q428 476 440 470C432 340 432 220 434 98Z'
  const folds = stroke(
    'M80 104C80 240 74 340 64 462M106 104C104 210 90 300 76 440M410 104C410 240 416 340 426 462M384 104C386 210 400 300 414 440',
    accentDark,
    4,
    'stroke-opacity=".5"',
  )
  return glass.join('') + frame + sill + path(left + right, accent, 'fill-opacity=".88"') + folds + rod
}

function pictures({ tone, accent }: Stage): string {
  const wood = tone(0.68, 0.07, hues.wood, 0)
  return [
    rect(800, 118, 130, 160, wood, 'rx="6"'),
    rect(813, 131, 104, 134, tone(0.95, 0.02, hues.sand, 0.1)),
    path('M865 232C820 202 836 160 865 182C894 160 910 202 865 232Z', accent, 'fill-opacity=".75"'),
    rect(808, 306, 96, 84, wood, 'rx="6"'),
    rect(819, 317, 74, 62, tone(0.86, 0.06, hues.sky, 0.1)),
    path('M819 379V358L840 334L858 358L868 346L893 379Z', tone(0.7, 0.09, hues.leaf, 0.1)),
  ].join('')
}

function floor({ tone }: Stage, ground: string): string {
  const planks =
    'M0 746H1024M0 812H1024M0 892H1024M0 980H1024M180 706V746M560 706V746M860 706V746M60 746V812M400 746V812M760 746V812M250 812V892M930 812V892M110 892V980M640 892V980M420 980V1024M820 980V1024'
  return [
    rect(0, 700, width, 324, ground),
    stroke(planks, tone(0.75, 0.06, hues.wood, 0.1), 3),
    rect(0, 682, width, 24, '#fff', 'fill-opacity=".92"'),
    rect(0, 704, width, 7, tone(0.6, 0.05, hues.wood, 0.1), 'fill-opacity=".35"'),
  ].join('')
}

function plant({ tone, accentDark }: Stage): string {
  const leaf = tone(0.62, 0.11, hues.leaf, 0.1)
  const dark = tone(0.54, 0.1, hues.leaf, 0.1)
  return [
    ellipse(point(930, 722), 66, 11, accentDark, 'fill-opacity=".22"'),
    path(
      'M930 640C880 600 842 560 850 490C900 520 930 580 930 640ZM930 640C980 606 1022 570 1016 506C966 530 932 584 930 640Z',
      dark,
    ),
    path(
      'M930 646C896 580 902 500 930 440C960 500 966 580 930 646ZM928 648C880 640 846 616 838 580C884 576 920 606 928 648ZM932 648C976 642 1012 620 1020 588C976 582 942 608 932 648Z',
      leaf,
    ),
    path('M878 636H982L970 722H890Z', tone(0.94, 0.02, hues.sand, 0.2)),
    path('M946 636H982L970 722H942Z', tone(0.87, 0.03, hues.sand, 0.2)),
    rect(870, 626, 120, 22, tone(0.96, 0.02, hues.sand, 0.2), 'rx="8"'),
  ].join('')
}

function rug({ tone, accent }: Stage): string {
  const at = point(498, 826)
  return [
    ellipse(point(498, 834), 478, 112, tone(0.5, 0.05, hues.wood, 0.1), 'fill-opacity=".3"'),
    ellipse(at, 478, 108, tone(0.9, 0.045, hues.sky, 0.9)),
    ellipse(at, 446, 96, 'none', `stroke="${accent}" stroke-width="9" stroke-opacity=".55" stroke-dasharray="26 20"`),
    ellipse(at, 408, 84, tone(0.85, 0.06, hues.sky, 0.9)),
    ellipse(at, 348, 68, tone(0.89, 0.045, hues.sky, 0.9)),
  ].join('')
}
