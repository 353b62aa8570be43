import type { Species, TaskLocale } from './poses.js'

export interface AvatarInput {
  readonly species: Species
  readonly petName?: string | undefined
  readonly breed?: string | undefined
  readonly locale: TaskLocale
  readonly sourceKey: string
}

export interface AnimationInput {
  readonly species: Species
  readonly seconds: number
  readonly sourceKey: string
  readonly frames: Readonly<Record<string, string>>
  readonly locale: TaskLocale
}
