import { path, stroke } from '../../rig/svg.js'
import { hues, type Kit } from '../kit.js'
import { band } from '../marks.js'
import { groundColours } from './colours.js'
import { litter } from './soil.js'

export function pavement(kit: Kit): string {
  const seams =
    'M0 786H1024M0 846H1024M150 738L110 786M420 738L400 786M690 738L700 786M940 738L970 786M240 786L210 846M560 786V846M860 786L890 846M70 846L20 908M400 846L380 908M720 846L740 908'
  const snow = 'M0 738H1024V752Q900 764 760 752Q560 742 380 756Q180 766 0 750Z'
  return [
    band(738, 220, groundColours.pavement(kit)),
    stroke(seams, kit.tone(0.77, 0.015, hues.sand), 4),
    band(738, 8, kit.tone(0.7, 0.02, hues.sand)),
    band(904, 26, kit.tone(0.76, 0.012, hues.sky)),
    band(926, 98, kit.tone(0.56, 0.012, hues.sky)),
    stroke('M60 990H220M360 990H520M660 990H760', kit.tone(0.93, 0.01, 1.5), 12, '', 'butt'),
    kit.setting.season === 'winter' ? path(snow, kit.snow) : '',
    kit.setting.season === 'autumn' ? litter(kit, 10) : '',
  ].join('')
}

export function deck(kit: Kit): string {
  const seams = [-700, -420, -180, 40, 250, 450, 640, 840, 1060, 1320, 1640].map(
    (x, index) => `M${512 + (index - 5) * 86} 742L${x} 1024`,
  )
  return [
    band(738, 286, groundColours.deck(kit)),
    stroke(seams.join(''), kit.tone(0.58, 0.065, hues.wood, 0.1), 6),
    band(734, 16, kit.tone(0.62, 0.065, hues.wood, 0.1)),
  ].join('')
}

/** Tiles in a clinic, planks elsewhere, with the light of the window on a fine day. */
export function floor(kit: Kit): string {
  const { place, weather, time } = kit.setting
  const base = band(706, 318, groundColours.floor(kit))
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
export function seat(kit: Kit): string {
  const leather = (lightness: number) => kit.tone(lightness, 0.075, 1.05, 0)
  return [
    band(780, 244, groundColours.seat(kit)),
    path('M-20 790Q0 752 60 752H940Q1010 752 1030 800V930H-20Z', leather(0.7)),
    path('M-20 880H1030V970Q500 990-20 970Z', leather(0.62)),
    stroke('M250 758V880M512 756V880M774 758V880', leather(0.55), 6),
    path('M180 774Q500 752 850 774Q890 820 880 852Q500 876 150 850Q150 806 180 774Z', kit.accent, 'fill-opacity=".8"'),
    stroke('M176 842Q500 866 864 842', '#fff', 5, 'stroke-opacity=".6" stroke-dasharray="16 14"'),
  ].join('')
}
