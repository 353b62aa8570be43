import { activityWeek, restNights } from './daily-facts.js'
import { day, lastNight, runRules, week } from './rows.js'

const range = (usualLower: number, usualUpper: number) => ({
  '/insightContext/comparison/usualLower': usualLower,
  '/insightContext/comparison/usualUpper': usualUpper,
})
const minutes = 'night/nightRest/minutes'
const [tooMuch, tooLong] = ['?metrics-beyond-day', '?metrics-beyond-night']
runRules('amount rules', '/metrics', [
  ['a whole day of activity', day('activity'), { 'activityTime/activityMinutes': 1440 }],
  ['activity in seconds', day('activity'), { 'activityTime/activityMinutes': 12_600 }, tooMuch],
  ['a goal in seconds', day('activity'), { 'activityTime/activityMinutesGoal': 14_400 }, tooMuch],
  ['days in seconds', week('activity'), activityWeek(9100, 9000, 9100, 9200), `${tooMuch} ${tooMuch}`],
  ['barking in milliseconds', day('bark'), { barkDurationSeconds: 999_999 }, tooMuch],
  ['a whole day of barking', day('bark'), { barkDurationSeconds: 86_400 }],
  ['a night of 11 hours', lastNight(), { [minutes]: 660 }],
  ['a night in seconds', lastNight(), { [minutes]: 30_720 }, tooLong],
  ['wearing in seconds', lastNight(), { 'night/wearingMinutes': 34_440 }, tooLong],
  ['an untimed night', lastNight(), { 'night/startAt': null, 'night/endAt': null, [minutes]: 30_720 }, tooLong],
  ['a long night', lastNight(), { 'night/startAt': '2026-10-13T20:00+08:00', [minutes]: 700 }, '?night-time-shifted'],
  ['nights in seconds', week('rest'), restNights(27_000, 2, [24_000, 2400], [25_200, 2400]), `${tooLong} ${tooLong}`],
  ['a range of hours', lastNight(), range(7, 9), '?comparison-range-unit'],
  ['a range of little activity', day('activity'), range(7, 9)],
  ['a range of hours of activity', day('activity'), range(3, 5), '?comparison-range-unit'],
  ['a range of 0', lastNight(), range(0, 0)],
  ['a range in seconds', day('activity'), range(10_800, 18_000), '?comparison-range-unit'],
])
