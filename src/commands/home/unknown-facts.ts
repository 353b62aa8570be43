import { HomeFacts } from '../../home/facts.js'
import { isWeatherWord, weatherWords } from '../../home/weather.js'
import { findNearest } from '../../text/spelling.js'

const factNames = Object.keys(HomeFacts.properties)
const weathers = 'storm, snow, rain, wind, hot, cold, mild, sunny, clear, cloudy and their usual variants'

/** Returns a sentence for each fact that no card uses: its name or its weather is unknown. */
export function describeUnknownFacts(facts: object): string[] {
  const unknown = Object.keys(facts).filter((name) => !factNames.includes(name))
  const sentences = unknown.map((name) => {
    const nearest = findNearest(name, factNames)
    const hint = nearest === undefined ? `the facts are ${factNames.join(', ')}.` : `did you mean ${nearest}?`
    return `The fact ${JSON.stringify(name)} is unknown and has no effect: ${hint}`
  })
  const { weather } = facts as { readonly weather?: unknown }
  if (typeof weather !== 'string' || isWeatherWord(weather)) return sentences
  const nearest = findNearest(weather, weatherWords)
  const hint = nearest === undefined ? `it takes ${weathers}.` : `did you mean ${nearest}?`
  return [...sentences, `The weather ${JSON.stringify(weather)} is unknown and gets no card: ${hint}`]
}
