/** A valid request body of `POST /v1/health-detail-insights/generate`. Source: health detail contract, 2.1 to 2.4. */
export interface HealthDetailPayload {
  readonly userId: string
  readonly petId: string
  readonly locale?: 'zh-CN' | 'en-US' | 'es' | null
  readonly [member: string]: unknown
}

export const payloadSchema: Readonly<Record<string, unknown>> = {}
