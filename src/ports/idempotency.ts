/** A request's hold on its `Idempotency-Key`. `heldUntil` is different for every hold on a key, and so identifies it. */
export interface Reservation {
  readonly key: string
  readonly heldUntil: Date
}

/** The response to store under an `Idempotency-Key`, in the transaction that creates the task. */
export interface IdempotentAnswer {
  readonly reservation: Reservation
  /** The JSON body of the response. */
  readonly body: unknown
}

export type IdempotencyState =
  | { readonly state: 'begun'; readonly reservation: Reservation }
  | { readonly state: 'in_flight' }
  | { readonly state: 'answered'; readonly body: unknown }
  | { readonly state: 'other_request' }

export interface IdempotencyStore {
  /**
   * Reserves the key for one request, identified by the hash `fingerprint`. The caller ends a `begun` reservation with
   * `createTask` or `cancelReservation`. A reservation also ends when its process is gone, and after `holdMs` at the latest.
   */
  beginIdempotent(
    key: string,
    fingerprint: string,
    now: Date,
    holdMs: number,
    keepMs: number,
  ): Promise<IdempotencyState>
  /** Releases the key, unless it was answered or another request has reserved it. */
  cancelReservation(reservation: Reservation): Promise<void>
}
