// The fields of the HTTP contract's responses that the page reads.

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]
export type Species = 'dog' | 'cat'
export type TaskStatus = 'pending' | 'processing' | 'success' | 'partial_success' | 'failed'

export interface Created {
  readonly task_id: string
  readonly poll_after_seconds?: number | null
}

interface Unit {
  readonly status: TaskStatus
  readonly error_message: string | null
}

export interface AvatarTask extends Created {
  readonly status: TaskStatus
  readonly provider: string
  readonly user_id: string
  readonly pet_id: string
  readonly source_url: string
  readonly identity_asset_id: string | null
  readonly images: Readonly<
    Partial<Record<Pose, Unit & { readonly generated_url: string | null; readonly generated_cos_key?: string }>>
  >
}

export interface IdentityAsset {
  readonly animation_task_id: string | null
}

export interface AnimationTask extends Created {
  readonly status: TaskStatus
  readonly images: Readonly<
    Partial<Record<Pose, Unit & { readonly webp_url: string | null; readonly mp4_url: string | null }>>
  >
}

export interface DiaryTask extends Created, Unit {
  readonly pet_id: string
  readonly scene_id: string
  readonly image_url: string | null
}

export interface Selection {
  readonly scene_id: string
  readonly image_url: string
  readonly match_reason: { readonly score: number; readonly matched: readonly string[] }
}

export interface Scene {
  readonly scene_id: string
  readonly species: Species | 'all'
  readonly category: string
  readonly title: Readonly<Record<string, string>>
}

export interface HomeCards {
  readonly locale: string
  readonly insights: readonly { readonly type: string; readonly title: string; readonly body: string }[]
}

export interface Insight {
  readonly status: string
  readonly summary: string
  readonly supplement?: string | null
}

export interface UsageEntry {
  readonly pet_id: string | null
  readonly user_id: string | null
  readonly requests: number
  readonly units: number
  readonly cost: number
}

export interface Envelope {
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string }
}
