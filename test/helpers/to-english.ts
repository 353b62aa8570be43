import type { Locale } from '../../src/insight/index.js'

/**
 * Rewrites a Chinese or Spanish text, phrase by phrase and without any code of the program, in the words of the English
 * texts, so that one list of claims reads all languages. The pet is called PET. What it does not know stays as it is.
 */
export function toEnglish(locale: Exclude<Locale, 'en-US'>, text: string): string {
  // The two overloads of replaceAll take one kind of replacement each.
  const rewritten = phrases[locale].reduce((rest, [found, english]) => rest.replaceAll(found, english as string), text)
  // English states a basis as an opening where a verdict follows; the other languages always as a statement.
  return /expected|slept/.test(rewritten)
    ? rewritten.replace(/^This page uses (\w+) norms; /, 'With $1 norms as a guide, ')
    : rewritten
}

type Phrase = readonly [pattern: RegExp, english: string | ((match: string, ...groups: string[]) => string)]

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
const spanishMonths = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
]

/** "16:05" as "4:05 PM". */
function toClock(hour: string, minute: string): string {
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
}

/** A night between two dates, as parts that may be left out: those of the end that the start has, and the years. */
function toNight(start: readonly [month: string, day: string, year?: string], end: typeof start): string {
  const [month, day, year] = start
  const [endMonth, endDay, endYear] = end
  const from = `${month} ${day}${endYear !== undefined && year !== undefined && year !== endYear ? `, ${year}` : ''}`
  const last = endYear ?? year
  return `on the night of ${from}-${endMonth === month ? '' : `${endMonth} `}${endDay}${last === undefined ? '' : `, ${last}`}`
}

const duration = String.raw`(under 1 min|\d+ h(?: \d+ min)?|\d+ min)`
/** A pattern in which DUR is a duration in English and ONE a verb of barking. */
const pattern = (source: string) => new RegExp(source.replaceAll('DUR', duration), 'gu')

const chinese: readonly Phrase[] = [
  // Quantities
  [/(\d+)小时(?:(\d+)分钟)?/g, (_, hours = '', minutes) => (minutes ? `${hours} h ${minutes} min` : `${hours} h`)],
  [/(\d+)分钟/g, '$1 min'],
  [/不到1 min/g, 'under 1 min'],
  [/(心率[^\d。]*)([\d.]+)次\/分/g, '$1$2 beats per minute'],
  [/([\d.]+)次\/分/g, '$1 breaths per minute'],
  [/([\d.]+)毫秒/g, '$1 ms'],

  // Openings
  [/本页采用同品种的参考范围；/g, 'This page uses breed norms; '],
  [/本页采用通用参考值；/g, 'This page uses general norms; '],
  [/截至(\d+):(\d\d)，/g, (_, hour = '', minute = '') => `as of ${toClock(hour, minute)}, `],
  [
    /(?:(\d{4})年)?(\d+)月(\d+)日夜间至(?:(\d{4})年)?(?:(\d+)月)?(\d+)日清晨，?/g,
    (_, year, month = '', day = '', endYear, endMonth = month, endDay = '') =>
      `${toNight([nameMonth(month), day, year], [nameMonth(endMonth), endDay, endYear])}, `,
  ],
  [
    /(?:(\d{4})年)?(\d+)月(\d+)日，?/g,
    (_, year, month = '', day = '') => `on ${nameMonth(month)} ${day}${year === undefined ? '' : `, ${year}`}, `,
  ],
  [/从昨晚起/g, 'overnight'],
  [/昨晚，?/g, 'last night, '],
  [/本周，?/g, 'This week, '],
  [/当周，?/g, 'That week, '],
  [/本月，?/g, 'This month, '],
  [/当月，?/g, 'That month, '],

  // Supplements
  [
    /得出它的平时范围需要(\d+)天的有效记录，目前(?:还没有|累计(\d+)天)。/g,
    (_, days, valid) =>
      ` Learning its usual range takes ${days} days of records, with ${valid ? `${valid} so far` : 'none yet'}.`,
  ],
  [/当晚没有佩戴设备。/g, ' The tracker was not worn that night.'],
  [
    pattern('当晚设备只佩戴了DUR，可能有些休息没有记录下来。'),
    ' The tracker was worn for only $1 of the night, so some rest may be missing.',
  ],
  [/可以多陪它轻松地玩一会儿，帮它多动一动。/g, ' A little extra gentle play.'],
  [/多给它安排些安静的休息时间，在它身边备好干净的水。/g, ' Make time for calm.'],
  [/尽量让它每天在差不多的时间玩耍和休息，帮它养成规律的作息。/g, ' Keeping play and rest.'],
  [/给它一个安静、光线暗的角落，睡前少些打扰，能帮它休息得更好。/g, ' A quiet, dark spot.'],
  [/让它多放松休息，多留意它的胃口和精神；如果觉得哪里不对劲，可以咨询兽医。/g, ' Keep activities gentle.'],
  [/留意一下是什么让它叫得多，比如外面的动静或独自在家，也可以多安静地陪陪它。/g, ' Notice what sets off.'],

  // Too few records
  [/今天还没有PET的记录/g, 'Nothing has been recorded for PET yet today'],
  [
    /PET今天的(?:活动|静息心率|心率变异性|静息呼吸频率|吠叫)记录不足，无法给出具体数值/g,
    'there are not enough records to show',
  ],
  [/的?记录不足，无法得知PET(?:overnight)?休息了多久/g, ', too little was recorded to tell'],
  [/，?，?记录不足，无法得知PET(?:overnight)?休息了多久/g, ', too little was recorded to tell'],
  [
    /PET的(?:活动|夜间休息|静息心率|心率变异性|静息呼吸频率|吠叫)记录不足，无法给出(?:平均值|具体数值)/g,
    'there were not enough records to show',
  ],

  // Usual ranges
  [/（平时范围为(.+?)至(.+?)(?: ms| b\w+ per minute)?）/g, ' (usual range $1-$2)'],
  [
    /(?<![不持])，?(?:处于|在)平时范围(?:（(.+?)至(.+?)(?: ms| b\w+ per minute)?）)?内(?=。)/g,
    toRange('within its usual range'),
  ],
  [/(?<!不)，?(?:处于|在)参考范围内(?=。)/g, ', within the expected range'],
  [/的活动量高于平时范围/g, "'s activity was above its usual range"],
  [/的活动量高于参考范围/g, "'s activity was above the expected range"],
  [
    /，?(高于|低于)(平时|参考)范围(?:（(.+?)至(.+?)(?: ms| b\w+ per minute)?）)?/g,
    (_, side, basis, lower, upper) =>
      `, SIDE ${side === '高于' ? 'above' : 'below'} ${basis === '平时' ? 'its usual range' : 'the expected range'}${toBounds(lower, upper)}`,
  ],

  // Activity
  [
    pattern('今天还没有记录到PET的活动(?:，每日目标是DUR)?'),
    (_, goal) => `no activity has been recorded for PET today${goal ? ` toward its ${goal} daily goal` : ''}`,
  ],
  [
    pattern('PET今天已活动DUR，距离每日DUR的目标还差DUR'),
    'PET has been active for $1 today, $3 short of its $2 daily goal',
  ],
  [
    pattern('PET今天已活动DUR，达成了每日DUR的目标'),
    'PET has been active for $1 today, already meeting its $2 daily goal',
  ],
  [pattern('PET今天已活动DUR'), 'PET has been active for $1 today'],
  [/没有记录到PET的活动(?=, (?:within|SIDE))/g, 'PET had no recorded activity'],
  [/没有记录到PET的活动/g, 'no activity was recorded for PET'],
  [pattern('PET活动了DUR'), 'PET was active for $1'],

  // Weeks and months
  [
    /在(可比较的|这)(\d+)(天|晚)里/g,
    (_, base, days, unit) => ` OVER ${days} ${unit === '天' ? 'days' : 'nights'}${base === '这' ? '' : ' compared'} `,
  ],
  [/ OVER ((\d+) .+?) 都保持在平时(?:范围内|水平)/g, ' stayed within its usual range on all $1'],
  [/ OVER ((\d+) .+?) 没有哪[天晚]明显(?:偏离|不如)平时/g, ' was never far from usual over the $1'],
  [/ OVER (.+?) 每天都不在平时范围内/g, ' was outside its usual range on all $1'],
  [/ OVER (.+?) 有(\d+)天不在平时范围内/g, ' was outside its usual range on $2 of $1'],
  [/ OVER (.+?) 都休息得不如平时好/g, ' did not rest as well as usual on any of the $1'],
  [/ OVER (.+?) 有(\d+)晚休息得不如平时好/g, ' did not rest as well as usual on $2 of $1'],
  [/ OVER (.+?) 没有哪天的吠叫明显比平时多/g, ' never barked clearly more than usual over the $1'],
  [/ OVER (.+?) 每天的吠叫都明显比平时多/g, ' barked clearly more than usual on all $1'],
  [/ OVER (.+?) 有(\d+)天的吠叫明显比平时多/g, ' barked clearly more than usual on $2 of $1'],
  [
    / OVER (.+?) 每天活动都比平时(多|少)/g,
    (_, days, word) => ` was ${word === '多' ? 'more' : 'less'} active than usual on all ${days}`,
  ],
  [/有(\d+)天活动比平时少，有(\d+)天比平时多/g, ' was less active than usual on $1 days and more active on $2 days'],
  [
    /有(\d+)天活动比平时(多|少)/g,
    (_, days, word) => ` was ${word === '多' ? 'more' : 'less'} active than usual on ${days} days`,
  ],
  [/PET的活动量(?= (?:stayed|was))/g, "PET's activity"],
  [/PET的夜间休息(?= (?:stayed|was))/g, "PET's rest"],
  [pattern('PET平均每天活动DUR'), 'PET averaged $1 of activity a day'],
  [pattern('PET平均每晚休息DUR'), 'PET averaged $1 of rest a night'],
  [pattern('，平均每天活动DUR'), ', averaging $1 a day'],
  [pattern('，平均每晚休息DUR'), ', averaging $1 a night'],
  [
    /，比(上周|上个月|前一周|前一个月)(多|少|高|低)([\d,]+)%/g,
    (_, before = '', word = '', percent) => `, ${percent}% ${amounts[word]} than ${befores[before]}`,
  ],
  [/，和(上周|上个月|前一周|前一个月)差不多/g, (_, before = '') => `, about the same as ${befores[before]}`],
  [/（只有(\d+)天有记录）/g, ' (only $1 days with records)'],
  [/（只有(\d+)晚有记录）/g, ' (only $1 nights with records)'],
  [/（每天的记录都不完整）/g, ' (no full days recorded)'],
  [/（每晚的记录都不完整）/g, ' (no full nights recorded)'],
  [/，不过只有(\d+)天有记录/g, ', with records on only $1 days'],

  // Rest
  [/还没有记录到PET的夜间休息/g, 'no rest has been recorded for PET overnight'],
  [/没有记录到PET的休息/g, 'no rest was recorded for PET'],
  [pattern('PETovernight已休息DUR'), 'PET has rested $1 overnight'],
  [pattern('PET休息了DUR'), 'PET rested $1'],
  [/，中途没有醒/g, ' and did not wake'],
  [/，中途醒了([\d,]+)次/g, ' and woke $1 times'],
  [/，?(?:整体)?睡得(不错|一般|不太好)/g, (_, word = '') => ` and slept ${sleeps[word]}`],
  [
    /，主要是因为([^，。]+?)(?:、([^，。]+?))?(?=[，。])/g,
    (_, first = '', second) =>
      ` mainly because ${[first, second].flatMap((reason) => (reason ? [toReason(reason)] : [])).join(' and ')}`,
  ],
  [/，已连续(\d+)晚没休息好/g, ', already $1 nights in a row'],
  [/，已连续(\d+)天不在参考范围内/g, ', making $1 days in a row outside the norm'],
  [/，已连续(\d+)天与平时不同/g, ', making $1 unusual days in a row'],

  // Vital signs
  [/PET今天的(?:静息心率|心率变异性|静息呼吸频率)为/g, "PET's vital today is "],
  [/PET的(?:静息心率|心率变异性|静息呼吸频率)平均为([\d.]+ (?:ms|b\w+ per minute))/g, "PET's vital averaged $1"],
  [
    /PET的(?:静息心率|心率变异性|静息呼吸频率)为([\d.]+ (?:ms|b\w+ per minute))(, (?:SIDE )?(?=within|above|below))?/g,
    (_, value, follows) => `PET's vital was ${value}${follows ? ', ' : ''}`,
  ],
  [/PET的(?:静息心率|心率变异性|静息呼吸频率)(?:, (?:SIDE )?(?=within|above|below))/g, "PET's vital was "],
  [/PET的(?:静息心率|心率变异性|静息呼吸频率)/g, "PET's vital"],

  // Barking
  [/(?:，|(?<=。))平时每天最多约([^。）]+)/g, '; up to about $1 a day is usual'],
  [/，平时每天under 1 min/g, '; less than 1 min a day is usual'],
  [/（平时每天最多约([^）]+)）/g, ' (usually not above about $1 a day)'],
  [/（平时每天under 1 min）/g, ' (usually less than 1 min a day)'],
  [/（([\d,]+)次）/g, ' ($1 times)'],
  [/（不是每天都叫）/g, ' (not every day)'],
  [/PET今天没有吠叫/g, 'PET has not barked today'],
  [/PET没有吠叫/g, 'PET did not bark'],
  [
    /没有记录到PET的吠叫(?:，不过每天的记录都不完整)?/g,
    (match) => `no barking was recorded for PET${match.endsWith('整') ? ', though no full day was recorded' : ''}`,
  ],
  [/，不过每天的记录都不完整/g, ', though no full day was recorded'],
  [
    pattern('PET(今天)?吠叫了(约?)DUR( \\([\\d,]+ times\\))?'),
    (_, today, about, time, events) =>
      `PET ${today ? 'has ' : ''}barked ${about ? 'about ' : ''}${time}${events ?? ''}${today ? ' today' : ''}`,
  ],
  [
    pattern('PET平均每天吠叫(约?)DUR'),
    (_, about, time) => `PET averaged ${about ? 'about ' : ''}${time} of barking a day`,
  ],
  [/PET吠叫的时间/g, 'PET barked'],
  [/，?没有超出平时水平/g, ' no more than usual'],
  [/，?没有超出参考水平/g, ' no more than expected'],
  [/，?比平时略多/g, ' a little more than usual'],
  [/，?略高于参考水平/g, ' a little more than expected'],
  [/，?明显比平时多/g, ' clearly more than usual'],
  [/，?明显高于参考水平/g, ' clearly more than expected'],
  ...punctuate(),
]

function punctuate(): Phrase[] {
  return [
    // Activity says "more than" where vital signs say "above".
    [
      /(PET was active for [^,]+), SIDE (above|below) (its usual range|the expected range)/g,
      (_, active, side, range) =>
        `${active}, ${side === 'above' ? 'more' : 'less'} than ${range === 'the expected range' ? 'expected' : range}`,
    ],
    [
      /PET had no recorded activity, SIDE below (its usual range|the expected range)/g,
      (_, range) => `PET had no recorded activity, less than ${range === 'the expected range' ? 'expected' : range}`,
    ],
    [/，/g, ', '],
    [/。/g, '.'],
  ]
}

const nameMonth = (number: string) => months[Number(number) - 1] ?? number
function toBounds(lower?: string, upper?: string): string {
  return lower === undefined ? '' : ` (${lower}-${upper})`
}
function toRange(words: string) {
  return (_: string, lower?: string, upper?: string) => `, ${words}${toBounds(lower, upper)}`
}
const amounts: Readonly<Record<string, string>> = { 多: 'more', 少: 'less', 高: 'higher', 低: 'lower' }
const befores: Readonly<Record<string, string>> = {
  上周: 'last week',
  上个月: 'last month',
  前一周: 'the week before',
  前一个月: 'the month before',
  'la semana pasada': 'last week',
  'el mes pasado': 'last month',
  'la semana anterior': 'the week before',
  'el mes anterior': 'the month before',
}
const sleeps: Readonly<Record<string, string>> = {
  不错: 'well',
  一般: 'just okay',
  不太好: 'poorly',
  bien: 'well',
  regular: 'just okay',
  mal: 'poorly',
}

function toReason(reason: string): string {
  const than = /参考值|esperado/.test(reason) ? 'expected' : 'usual'
  if (/^(休息时间比(平时|参考值)短|descansó menos de lo (habitual|esperado))$/.test(reason))
    return `rest was shorter than ${than}`
  if (/^(醒来的次数比(平时|参考值)多|hubo más despertares de lo (habitual|esperado))$/.test(reason))
    return `there were more wake-ups than ${than}`
  if (/^(夜间活动比(平时|参考值)多|se movió más de lo (habitual|esperado))$/.test(reason))
    return `there was more movement than ${than}`
  return /^(每段休息的时间偏短|solo tuvo tramos cortos de descanso)$/.test(reason)
    ? 'rest came in short stretches'
    : reason
}

const toSpanishRange = (_: string, lower?: string, upper?: string) => toBounds(lower, upper)
const spanishDate = `(\\d+) de (${spanishMonths.join('|')})(?: de (\\d{4}))?`
const spanishMonth = (name: string) => months[spanishMonths.indexOf(name)] ?? name
const vital = '(?:variabilidad de la )?frecuencia (?:cardíaca|respiratoria) en reposo de PET'
const value = '([\\d.]+) (ms|latidos? por minuto|respiraci(?:ón|ones) por minuto)'
const unit = (words = '') =>
  words === 'ms' ? 'ms' : words.startsWith('lat') ? 'beats per minute' : 'breaths per minute'

const spanish: readonly Phrase[] = [
  // Quantities
  [/menos de 1 min/g, 'under 1 min'],
  [/(\d),(\d)(?= (?:ms|latid|respir)|\)| a )/g, '$1.$2'],
  [/(\d)\.(\d{3})(?= (?:veces|%|días|noches)|\))/g, '$1,$2'],

  // Openings
  [/Como referencia se usa el rango típico de su raza; /g, 'This page uses breed norms; '],
  [/Como referencia se usan valores generales; /g, 'This page uses general norms; '],
  [/[Ss]egún los datos hasta las? (\d+):(\d\d), /g, (_, hour = '', minute = '') => `as of ${toClock(hour, minute)}, `],
  [
    new RegExp(
      `[Ll]a noche del (\\d+)(?: de (${spanishMonths.join('|')}))?(?: de (\\d{4}))? al ${spanishDate},? `,
      'g',
    ),
    (_, day = '', month, year, endDay = '', endMonth = '', endYear) =>
      `${toNight([spanishMonth(month ?? endMonth), day, year], [spanishMonth(endMonth), endDay, endYear])}, `,
  ],
  [
    new RegExp(`[Ee]l ${spanishDate},? `, 'g'),
    (_, day = '', month = '', year) => `on ${spanishMonth(month)} ${day}${year === undefined ? '' : `, ${year}`}, `,
  ],
  [/Anoche,? |(?<!desde )anoche, /g, 'last night, '],
  [/Esta semana,? /g, 'This week, '],
  [/Esa semana,? /g, 'That week, '],
  [/Este mes,? /g, 'This month, '],
  [/Ese mes,? /g, 'That month, '],

  // Supplements
  [
    /Su rango habitual se establece con (\d+) días? de registros; hasta ahora (?:no hay ninguno|hay (\d+))\./g,
    (_, days, valid) =>
      `Learning its usual range takes ${days} days of records, with ${valid ? `${valid} so far` : 'none yet'}.`,
  ],
  [/El dispositivo no estuvo puesto esa noche\./g, 'The tracker was not worn that night.'],
  [
    pattern('El dispositivo solo estuvo puesto DUR durante la noche, por lo que puede haber descanso sin registrar\\.'),
    'The tracker was worn for only $1 of the night, so some rest may be missing.',
  ],
  [/Un poco más de juego tranquilo puede ayudarle a mantenerse en movimiento\./g, 'A little extra gentle play.'],
  [/Procura que tenga ratos de calma y deja agua limpia a su alcance\./g, 'Make time for calm.'],
  [
    /Jugar y descansar a horas parecidas cada día puede ayudarle a llevar un ritmo más estable\./g,
    'Keeping play and rest.',
  ],
  [
    /Un rincón tranquilo y oscuro, y un ambiente sereno antes de dormir, pueden ayudarle a descansar mejor\./g,
    'A quiet, dark spot.',
  ],
  [
    /Procura que tenga días tranquilos, fíjate en su apetito y su energía, y consulta en tu clínica veterinaria si notas algo raro\./g,
    'Keep activities gentle.',
  ],
  [
    /Fíjate en qué provoca los ladridos, como ruidos del exterior o ratos a solas, y ofrécele compañía tranquila\./g,
    'Notice what sets off.',
  ],

  // Too few records
  [/Hoy no se ha registrado nada de PET hasta ahora/g, 'Nothing has been recorded for PET yet today'],
  [
    /no (?:hubo|hay) suficientes registros para saber cuánto (?:descansó|ha descansado) PET(?: desde anoche)?/g,
    'too little was recorded to tell',
  ],
  [
    /(?:hoy )?no (?:hubo|hay) suficientes registros de [\p{L} ]+? de PET para mostrar (?:un promedio|una cifra)/gu,
    'there were not enough records to show',
  ],

  // Usual ranges
  [/ \(rango habitual: de (.+?) a (.+?)\)/g, ' (usual range $1-$2)'],
  [/ \(de (.+?) a (.+?)\)/g, toSpanishRange],
  [/,? ?dentro de su rango habitual(?!\p{L}| l[ao]s)/gu, ', within its usual range'],
  [/,? ?dentro de lo esperado/g, ', within the expected range'],
  [
    /,? ?por (encima|debajo) de (su rango habitual|lo esperado)/g,
    (_, side, range) =>
      `, SIDE ${side === 'encima' ? 'above' : 'below'} ${range === 'lo esperado' ? 'the expected range' : 'its usual range'}`,
  ],

  // Activity
  [
    pattern('hoy no se ha registrado actividad de PET(?:, cuya meta diaria es de DUR)?'),
    (_, goal) => `no activity has been recorded for PET today${goal ? ` toward its ${goal} daily goal` : ''}`,
  ],
  [
    pattern('PET lleva DUR de actividad hoy, a DUR de cumplir su meta diaria de DUR'),
    'PET has been active for $1 today, $2 short of its $3 daily goal',
  ],
  [
    pattern('PET lleva DUR de actividad hoy y ya ha cumplido su meta diaria de DUR'),
    'PET has been active for $1 today, already meeting its $2 daily goal',
  ],
  [pattern('PET lleva DUR de actividad hoy'), 'PET has been active for $1 today'],
  [/PET no tuvo actividad registrada/g, 'PET had no recorded activity'],
  [/no se registró actividad de PET/g, 'no activity was recorded for PET'],
  [/la actividad de PET estuvo, SIDE above/g, "PET's activity was above"],
  [pattern('PET tuvo en promedio DUR de actividad al día'), 'PET averaged $1 of activity a day'],
  [pattern('PET tuvo DUR de actividad'), 'PET was active for $1'],

  // Weeks and months
  [
    /PET tuvo (\d+) días? con menos actividad de la habitual y (\d+) días? con más/g,
    'PET was less active than usual on $1 days and more active on $2 days',
  ],
  [
    /PET tuvo (\d+) días? con (más|menos) actividad de la habitual/g,
    (_, days, word) => `PET was ${word === 'más' ? 'more' : 'less'} active than usual on ${days} days`,
  ],
  [
    /(?: en (\d+) de l[ao]s| l[ao]s) (\d+) (días|noches)( evaluad[ao]s)?/g,
    (_, some, days, word, evaluated) =>
      ` ON ${some ? `${some} of ` : 'all '}${days} ${word === 'días' ? 'days' : 'nights'}${evaluated ? ' compared' : ''}`,
  ],
  [/ en ningun[ao] de ON all /g, ' NEVER '],
  [
    /PET tuvo (más|menos) actividad de la habitual ON /g,
    (_, word) => `PET was ${word === 'más' ? 'more' : 'less'} active than usual on `,
  ],
  [/la actividad de PET (?=se |no se |estuvo )/g, "PET's activity "],
  [/el descanso de PET (?=se |no se )/g, "PET's rest "],
  [/se mantuvo dentro de su rango habitual ON /g, 'stayed within its usual range on '],
  [/no se salió de lo habitual NEVER /g, 'was never far from usual over the '],
  [/estuvo fuera de su rango habitual ON /g, 'was outside its usual range on '],
  [/PET descansó peor de lo habitual ON all /g, 'PET did not rest as well as usual on any of the '],
  [/PET descansó peor de lo habitual ON /g, 'PET did not rest as well as usual on '],
  [/no ladró claramente más de lo habitual NEVER /g, 'never barked clearly more than usual over the '],
  [/ladró claramente más de lo habitual ON /g, 'barked clearly more than usual on '],
  [pattern('PET descansó en promedio DUR por noche'), 'PET averaged $1 of rest a night'],
  [pattern('; el promedio fue de DUR al día'), ', averaging $1 a day'],
  [pattern('; el promedio fue de DUR por noche'), ', averaging $1 a night'],
  [
    /, un ([\d,]+) % (más|menos) que ((?:la|el) (?:semana|mes) (?:pasad[ao]|anterior))/g,
    (_, percent, word, before = '') => `, ${percent}% ${word === 'más' ? 'more' : 'less'} than ${befores[before]}`,
  ],
  [
    /, casi igual que ((?:la|el) (?:semana|mes) (?:pasad[ao]|anterior))/g,
    (_, before = '') => `, about the same as ${befores[before]}`,
  ],
  [/ \(solo (\d+) días? con registros\)/g, ' (only $1 days with records)'],
  [/ \(solo (\d+) noches? con registros\)/g, ' (only $1 nights with records)'],
  [/ \(sin días completos\)/g, ' (no full days recorded)'],
  [/ \(sin noches completas\)/g, ' (no full nights recorded)'],
  [/, con registros de solo (\d+) días?/g, ', with records on only $1 days'],
  [/, aunque no hay registros completos de ningún día/g, ', though no full day was recorded'],

  // Rest
  [/no se ha registrado descanso de PET desde anoche/g, 'no rest has been recorded for PET overnight'],
  [/no se registró descanso de PET/g, 'no rest was recorded for PET'],
  [pattern('PET lleva DUR de descanso desde anoche'), 'PET has rested $1 overnight'],
  [pattern('PET descansó DUR'), 'PET rested $1'],
  [/(?: y|,) no se (?:ha despertado|despertó)/g, ' and did not wake'],
  [/(?: y|,) se (?:ha despertado|despertó) una vez/g, ' and woke once'],
  [/(?: y|,) se (?:ha despertado|despertó) ([\d,]+) veces/g, ' and woke $1 times'],
  [/durmió (bien|regular|mal)/g, (_, word = '') => `slept ${sleeps[word]}`],
  [
    /, sobre todo porque ([^,.]+?)(?: y ([^,.]+?))?(?=[,.])/g,
    (_, first = '', second) =>
      ` mainly because ${[first, second].flatMap((reason) => (reason ? [toReason(reason)] : [])).join(' and ')}`,
  ],
  [/, con lo que sumó (\d+) noches seguidas así/g, ', already $1 nights in a row'],
  [/, con lo que sumó (\d+) días seguidos fuera de esa referencia/g, ', making $1 days in a row outside the norm'],
  [/, con lo que sumó (\d+) días seguidos fuera de lo habitual/g, ', making $1 unusual days in a row'],

  // Vital signs
  [
    new RegExp(`hoy la ${vital} es de ${value}`, 'g'),
    (_, number, words) => `PET's vital today is ${number} ${unit(words)}`,
  ],
  [
    new RegExp(`la ${vital} fue en promedio de ${value}`, 'g'),
    (_, number, words) => `PET's vital averaged ${number} ${unit(words)}`,
  ],
  [
    new RegExp(`la ${vital} fue de ${value}(?:, (?:SIDE )?(?=within|above|below))?`, 'g'),
    (match, number, words) => `PET's vital was ${number} ${unit(words)}${/, (SIDE )?$/.test(match) ? ', ' : ''}`,
  ],
  [new RegExp(`la ${vital} estuvo, (?:SIDE )?(?=within|above|below)`, 'g'), "PET's vital was "],
  [new RegExp(`la ${vital}`, 'g'), "PET's vital"],

  // Barking
  [/; el máximo habitual es de alrededor de (.+?) al día/g, '; up to about $1 a day is usual'],
  [/; lo habitual es under 1 min al día/g, '; less than 1 min a day is usual'],
  [/ \(máximo habitual: alrededor de (.+?) al día\)/g, ' (usually not above about $1 a day)'],
  [/ \(lo habitual: under 1 min al día\)/g, ' (usually less than 1 min a day)'],
  [/ \(([\d,]+) veces\)/g, ' ($1 times)'],
  [/ \(una vez\)/g, ' (once)'],
  [/ \(no todos los días\)/g, ' (not every day)'],
  [/PET no ha ladrado hoy/g, 'PET has not barked today'],
  [/PET no ladró(?! claramente)/g, 'PET did not bark'],
  [/no se registraron ladridos de PET/g, 'no barking was recorded for PET'],
  [
    pattern('PET ha ladrado hoy (alrededor de )?DUR( \\([^)]*\\))?'),
    (_, about, time, events) => `PET has barked ${about ? 'about ' : ''}${time}${events ?? ''} today`,
  ],
  [
    pattern('PET ladró en promedio (alrededor de )?DUR al día'),
    (_, about, time) => `PET averaged ${about ? 'about ' : ''}${time} of barking a day`,
  ],
  [pattern('PET ladró (alrededor de )?DUR'), (_, about, time) => `PET barked ${about ? 'about ' : ''}${time}`],
  [/PET ladró (?=sin|un poco|claramente)/g, 'PET barked '],
  [/,? sin salirse de lo habitual/g, ' no more than usual'],
  [/,? sin salirse de lo esperado/g, ' no more than expected'],
  [/,? ?un poco más de lo habitual/g, ' a little more than usual'],
  [/,? ?un poco más de lo esperado/g, ' a little more than expected'],
  [/,? ?claramente más de lo habitual/g, ' clearly more than usual'],
  [/,? ?claramente más de lo esperado/g, ' clearly more than expected'],
  ...punctuate(),
]

const phrases = { 'zh-CN': chinese, es: spanish }
