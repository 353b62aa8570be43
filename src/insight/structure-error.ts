/** A member that breaks a requirement of the structure: its JSON Pointer, and the number of the requirement. */
export interface StructureError {
  readonly path: string
  readonly requirement: number
}

/** One wrong member repeated thousands of times in a long array says no more than the first ones. */
const maxErrors = 200

/** Called by the generated validators. */
export function addStructureError(
  errors: StructureError[] | null,
  path: string,
  requirement: number,
): StructureError[] {
  const error = { path, requirement }
  if (errors === null) return [error]
  if (errors.length < maxErrors) errors.push(error)
  return errors
}
