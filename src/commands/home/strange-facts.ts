import { HomeFacts } from '../../insight/home/facts.js'
import { isWeatherWord, weatherWords } from '../../insight/home/weather.js'
import { findNearest } from '../../spelling.js'

const factNames = Object.keys(HomeFacts.properties)
const weathers = 'storm, snow, rain, wind, hot, cold, mild, sunny, clear, cloudy and their usual variants'

/** A sentence for each fact that no card is made from: its name is not of the contract, or its weather not known. */
export function describeStrangeFacts(facts: object): string[] {
  const strange = Object.keys(facts).filter((name) => !factNames.includes(name))
  const sentences = strange.map((name) => {
    const nearest = findNearest(name, factNames)
    const hint = nearest === undefined ? `the facts are ${factNames.join(', ')}.` : `did you mean ${nearest}?`
    return `The fact ${JSON.stringify(name)} is not known and changes nothing: ${hint}`
  })
  const { weather } = facts as { readonly weather?: unknown }
  if (typeof weather !== 'string' || isWeatherWord(weather)) return sentences
  const nearest = findNearest(weather, weatherWords)
  const hint = nearest === undefined ? `it takes ${weathers}.` : `did you mean ${nearest}?`
  return [...sentences, `The weather ${JSON.stringify(weather)} is not known and gets no card: ${hint}`]
}
