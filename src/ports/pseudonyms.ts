/** Pseudonyms for caller IDs that must not be stored. Equal IDs give equal hashes, but a user's differs from a pet's. */
export interface Pseudonyms {
  user(id: string): string
  pet(id: string): string
}
