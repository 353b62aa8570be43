/** A member that breaks a requirement of the structure: its JSON Pointer, and the number of the requirement. */
export interface Fault {
  readonly path: string
  readonly requirement: number
}

/** One wrong member repeated thousands of times in a long array says no more than the first ones. */
const maxFaults = 200

/** Called by the generated validators. */
export function addFault(faults: Fault[] | null, path: string, requirement: number): Fault[] {
  const fault = { path, requirement }
  if (faults === null) return [fault]
  if (faults.length < maxFaults) faults.push(fault)
  return faults
}
