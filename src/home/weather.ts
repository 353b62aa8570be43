/** The weather conditions that have a card. */
export type WeatherCondition = 'STORM' | 'THUNDER' | 'SNOW' | 'HOT' | 'COLD' | 'RAIN' | 'WIND' | 'MILD'

const hotFromCelsius = 28
const coldUpToCelsius = 3
/** From here up to the heat, a day without rain or wind is a nice one. */
const mildFromCelsius = 10

/** The words of callers by meaning; `FAIR` is neither wet nor windy, at any temperature. */
const words: Readonly<Record<WeatherCondition | 'FAIR', readonly string[]>> = {
  STORM: ['storm', 'stormy', 'hurricane', 'typhoon'],
  THUNDER: ['thunder', 'thunderstorm', 'thunderstorms', 'lightning'],
  SNOW: ['snow', 'snowy', 'snowing', 'sleet', 'blizzard', 'flurries'],
  RAIN: ['rain', 'rainy', 'raining', 'shower', 'showers', 'drizzle', 'light rain', 'heavy rain'],
  WIND: ['wind', 'windy', 'gale', 'breezy'],
  HOT: ['hot', 'heat', 'heatwave', 'heat wave'],
  COLD: ['cold', 'freezing', 'frost', 'chilly'],
  MILD: ['mild', 'nice', 'pleasant'],
  FAIR: ['fair', 'sunny', 'sun', 'clear', 'cloudy', 'partly cloudy', 'mostly sunny', 'mostly cloudy', 'overcast'],
}
const weatherByWord = new Map(
  Object.entries(words).flatMap(([weather, all]) =>
    all.map((word) => [word, weather as WeatherCondition | 'FAIR'] as const),
  ),
)

/** The words that callers may send. */
export const weatherWords: readonly string[] = [...weatherByWord.keys()]

/** True if a word is known, with or without a card. */
export function isWeatherWord(word: string): boolean {
  return weatherByWord.has(toPlain(word))
}

/**
 * Chooses the weather card for a word and a temperature. Storm, thunder and snow come before the temperature, but heat and cold
 * before rain and wind. Undefined if the word is unknown, or there is nothing to report.
 */
export function findWeather(
  word: string | null | undefined,
  celsius: number | null | undefined,
): WeatherCondition | undefined {
  const said = word == null ? undefined : weatherByWord.get(toPlain(word))
  if (said === 'STORM' || said === 'THUNDER' || said === 'SNOW') return said
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
