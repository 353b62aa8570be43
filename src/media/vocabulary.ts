/**
 * The words that scenes are matched by, each with its synonyms in three languages. Facts are free text: a synonym
 * that is not listed matches nothing.
 * Source: gateway contract, 4.11.
 */
export const vocabulary = {
  season: {
    spring: '春, 春天, 春季, primavera',
    summer: '夏, 夏天, 夏季, verano',
    autumn: 'fall, 秋, 秋天, 秋季, otoño',
    winter: '冬, 冬天, 冬季, invierno',
  },
  weather: {
    sun: 'sunny, clear, sunshine, fair, bright, fine, 晴, 晴天, 晴朗, sol, soleado, despejado',
    cloud: 'cloudy, clouds, overcast, partly cloudy, 阴, 阴天, 多云, nublado, nubes',
    rain: 'rainy, raining, drizzle, showers, light rain, heavy rain, 雨, 下雨, 雨天, 小雨, 大雨, lluvia, lluvioso, llovizna',
    storm: 'stormy, thunderstorm, thunder, lightning, 雷雨, 暴风雨, 雷阵雨, tormenta, tormentoso',
    snow: 'snowy, snowing, snowfall, blizzard, sleet, 雪, 下雪, 雪天, nieve, nevado',
    wind: 'windy, breezy, gusty, 风, 有风, 大风, viento, ventoso',
    fog: 'foggy, mist, misty, haze, hazy, 雾, 有雾, 大雾, niebla, neblina',
    heat: 'hot, heatwave, heat wave, 热, 炎热, 高温, calor, caluroso',
  },
  location: {
    home: 'house, indoors, inside, apartment, living room, 家, 家里, 在家, 室内, casa, hogar',
    yard: 'garden, backyard, back yard, porch, balcony, terrace, 院子, 花园, 阳台, jardín, patio',
    park: 'dog park, playground, 公园, parque',
    field: 'meadow, grassland, countryside, 草地, 田野, 草原, campo, prado',
    forest: 'woods, wood, trail, 森林, 树林, bosque',
    mountain: 'mountains, hill, hills, 山, 山上, montaña, sierra',
    lake: 'lakeside, river, pond, 湖, 湖边, 河边, lago, río',
    beach: 'seaside, sea, ocean, coast, 海边, 沙滩, 海滩, playa, mar',
    city: 'street, downtown, town, neighborhood, neighbourhood, 城市, 街上, 市区, ciudad, calle',
    cafe: 'café, coffee shop, restaurant, 咖啡馆, 餐厅, cafetería, restaurante',
    car: 'road, on the road, 车上, 车里, 路上, coche, carro, auto',
    office: 'work, workplace, 办公室, 公司, oficina',
    vet: 'veterinarian, clinic, vet clinic, animal hospital, 医院, 宠物医院, 兽医, veterinario, clínica',
    groomer: 'grooming salon, salon, 美容店, 宠物店, peluquería',
  },
  activity: {
    rest: 'sleep, sleeping, nap, napping, resting, relax, relaxing, 睡觉, 休息, 午睡, descanso, descansar, dormir, siesta',
    walk: 'walking, stroll, hike, hiking, 散步, 遛狗, 徒步, paseo, pasear, caminar, caminata',
    run: 'running, jog, jogging, sprint, exercise, 跑步, 奔跑, correr, carrera',
    play: 'playing, fetch, playtime, game, games, 玩, 玩耍, 玩球, jugar, juego',
    social: 'friends, playdate, play date, socializing, visit, 交朋友, 聚会, amigos, visita',
    explore: 'exploring, adventure, sniffing, discover, 探索, 冒险, explorar, aventura',
    watch: 'watching, observing, looking out, bird watching, 看风景, 观察, 看鸟, mirar, observar',
    cuddle: 'cuddling, cuddles, snuggle, hug, petting, 抱抱, 撒娇, mimos, abrazo',
    eat: 'eating, meal, dinner, lunch, breakfast, feeding, treats, 吃饭, 进食, comer, comida, cena',
    travel: 'trip, drive, ride, car ride, road trip, camping, 旅行, 兜风, 露营, viaje, viajar',
    work: 'working, job, 上班, 工作, trabajo, trabajar',
    training: 'train, class, lesson, obedience, 训练, 上课, entrenamiento, clase',
    grooming: 'groom, bath, bathing, brushing, haircut, 洗澡, 美容, 梳毛, baño, cepillado',
    checkup: 'check-up, vet visit, vaccination, vaccine, exam, 看病, 体检, 打疫苗, revisión, vacuna',
    celebrate: 'celebration, celebrating, party, 庆祝, 派对, fiesta, celebrar, celebración',
  },
  mood: {
    happy: 'joyful, cheerful, glad, content, 开心, 高兴, 快乐, feliz, alegre, contento',
    calm: 'relaxed, peaceful, quiet, cozy, cosy, 平静, 放松, 安静, tranquilo, relajado',
    sleepy: 'tired, drowsy, lazy, 困, 累, 疲倦, cansado, somnoliento',
    playful: 'silly, mischievous, naughty, 调皮, 顽皮, juguetón, travieso',
    excited: 'energetic, thrilled, lively, 兴奋, 激动, emocionado, energético',
    curious: 'interested, alert, attentive, 好奇, curioso',
    nervous: 'anxious, scared, afraid, worried, stressed, 紧张, 害怕, nervioso, asustado',
    proud: 'brave, confident, 自豪, 骄傲, orgulloso',
    loving: 'affectionate, loved, clingy, 亲密, 粘人, cariñoso, amoroso',
  },
  holiday: {
    new_years_day: "new year, new years, new year's day, 元旦, 新年, año nuevo",
    mlk_day: 'martin luther king day, martin luther king jr day, mlk, 马丁·路德·金日, 马丁·路德·金纪念日',
    washingtons_birthday:
      "washington's birthday, presidents' day, presidents day, president's day, 总统日, día de los presidentes",
    memorial_day: '阵亡将士纪念日, día de los caídos',
    juneteenth: 'juneteenth national independence day, 六月节',
    independence_day: '4th of july, fourth of july, july 4, july 4th, 独立日, día de la independencia',
    labor_day: 'labour day, 劳动节, día del trabajo',
    columbus_day: "indigenous peoples' day, indigenous peoples day, 哥伦布日, día de colón",
    veterans_day: "veterans' day, 退伍军人节, día de los veteranos",
    thanksgiving_day: 'thanksgiving, 感恩节, acción de gracias, día de acción de gracias',
    christmas_day: 'christmas, xmas, 圣诞节, 圣诞, navidad',
    love_your_pet_day: 'national love your pet day, 爱宠日',
    national_puppy_day: 'puppy day, 幼犬日',
    national_pet_day: 'pet day, 宠物日',
    take_your_dog_to_work_day: 'dog to work day, bring your dog to work day, 带狗上班日',
    national_kitten_day: 'kitten day, 幼猫日',
    international_cat_day: 'world cat day, 国际猫咪日, 国际猫日, día internacional del gato',
    national_dog_day: 'dog day, international dog day, 爱犬日, día del perro',
    world_animal_day: 'animal day, 世界动物日, día mundial de los animales',
    national_cat_day: 'cat day, 爱猫日, día del gato',
    birthday: 'bday, pet birthday, 生日, cumpleaños',
    adoption_day: 'adoption anniversary, gotcha day, adoptiversary, 领养日, 领养纪念日, aniversario de adopción',
    first_day_home: 'homecoming, first day at home, 回家第一天, primer día en casa',
    moving_day: 'new home, move, 搬家, mudanza',
    graduation: 'training graduation, graduation day, 毕业, graduación',
    recovery: 'feeling better, recovered, 康复, recuperación',
    new_friend: 'new sibling, new pet, 新朋友, nuevo amigo',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type FactName = keyof typeof vocabulary
export type Word<N extends FactName = FactName> = { [K in N]: keyof (typeof vocabulary)[K] & string }[N]

export const factNames = Object.keys(vocabulary) as readonly FactName[]

/** Lists the words of a fact. */
export function listWords<N extends FactName>(name: N): readonly Word<N>[] {
  return Object.keys(vocabulary[name]) as unknown as readonly Word<N>[]
}

/** Returns the word for a caller's text. Ignores case, accents, underscores and the kind of apostrophe. */
export function findWord(name: FactName, text: string): Word | undefined {
  return wordsByText.get(toKey(name, text))
}

const wordsByText: ReadonlyMap<string, Word> = new Map(
  factNames.flatMap((name) =>
    Object.entries<string>(vocabulary[name]).flatMap(([word, others]) =>
      [word, ...others.split(', ')].map((text) => [toKey(name, text), word as Word] as const),
    ),
  ),
)

function toKey(name: FactName, text: string): string {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’`´]/g, "'")
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return `${name} ${folded}`
}

/** Kinds of weather that can occur together. */
const together: readonly (readonly [Word<'weather'>, Word<'weather'>])[] = [
  ['wind', 'sun'],
  ['wind', 'cloud'],
  ['heat', 'sun'],
  ['heat', 'cloud'],
  ['rain', 'storm'],
]

/** True if two kinds of weather exclude each other: a picture of one cannot show a day of the other. */
export function areOpposed(one: string, other: string): boolean {
  return one !== other && !together.some((pair) => pair.every((word) => word === one || word === other))
}
