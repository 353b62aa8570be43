/** The weathers that have a card. */
export type Weather = 'STORM' | 'SNOW' | 'HOT' | 'COLD' | 'RAIN' | 'WIND' | 'MILD'

const hotFromCelsius = 28
const coldUpToCelsius = 3
/** From here to the heat, a day without rain or wind is a nice one. */
const mildFromCelsius = 10

/** What callers' words mean; `FAIR` is neither wet nor windy, of whatever temperature. */
const words: Readonly<Record<Weather | 'FAIR', readonly string[]>> = {
  STORM: ['storm', 'stormy', 'thunder', 'thunderstorm', 'thunderstorms', 'lightning', 'hurricane', 'typhoon'],
  SNOW: ['snow', 'snowy', 'snowing', 'sleet', 'blizzard', 'flurries'],
  RAIN: ['rain', 'rainy', 'raining', 'shower', 'showers', 'drizzle', 'light rain', 'heavy rain'],
  WIND: ['wind', 'windy', 'gale', 'breezy'],
  HOT: ['hot', 'heat', 'heatwave', 'heat wave'],
  COLD: ['cold', 'freezing', 'frost', 'chilly'],
  MILD: ['mild', 'nice', 'pleasant'],
  FAIR: ['fair', 'sunny', 'sun', 'clear', 'cloudy', 'partly cloudy', 'mostly sunny', 'mostly cloudy', 'overcast'],
}
const weatherByWord = new Map(
  Object.entries(words).flatMap(([weather, all]) => all.map((word) => [word, weather as Weather | 'FAIR'] as const)),
)

/** The words that callers may say. */
export const weatherWords: readonly string[] = [...weatherByWord.keys()]

/** Whether a word says a weather that is known, with or without a card. */
export function isWeatherWord(word: string): boolean {
  return weatherByWord.has(toPlain(word))
}

/**
 * The weather that a word and a temperature come to. What falls from the sky tells more than the temperature, but heat and
 * cold matter more than rain or wind. `undefined` where there is nothing to say, or the word is not known.
 */
export function findWeather(word: string | null | undefined, celsius: number | null | undefined): Weather | undefined {
  const said = word == null ? undefined : weatherByWord.get(toPlain(word))
  if (said === 'STORM' || said === 'SNOW') return said
  if (celsius != null && celsius >= hotFromCelsius) return 'HOT'
  if (celsius != null && celsius <= coldUpToCelsius) return 'COLD'
  if (said !== undefined && said !== 'FAIR') return said
  if (word != null && said === undefined) return undefined
  if (celsius == null) return said === 'FAIR' ? 'MILD' : undefined
  return celsius >= mildFromCelsius ? 'MILD' : undefined
}

function toPlain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
}
