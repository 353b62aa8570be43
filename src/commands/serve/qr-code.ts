import { renderUnicodeCompact } from 'uqr'

/**
 * Prints an address as a QR code, for the camera of a phone. Only a terminal shows one; without an address that other machines
 * reach, says how to get one.
 */
export function printQrCode(address: string | undefined): void {
  if (address === undefined)
    process.stderr.write('svc: --qr needs an address for other machines: add --host 0.0.0.0.\n')
  else if (process.stdout.isTTY) process.stdout.write(`\n${renderUnicodeCompact(address)}\n`)
}
