/** Things next to the pet or in the background, each drawable as one simple shape. */
export const propNames = [
  ...['sofa', 'window', 'bed', 'bowl', 'box', 'books', 'laptop', 'fireplace', 'tub', 'vet_table'],
  ...['ball', 'frisbee', 'bone', 'yarn', 'fish', 'kite', 'friend', 'bird'],
  ...['flowers', 'leaf_pile', 'puddle', 'sprinkler', 'umbrella', 'snowman', 'sandcastle'],
  ...['car', 'boat', 'tent', 'campfire', 'skyline', 'garland'],
  ...['flag', 'fireworks', 'pumpkin', 'turkey_pie', 'tree_lights', 'wreath', 'gift', 'cake', 'balloons', 'rosette'],
] as const

export type Prop = (typeof propNames)[number]
