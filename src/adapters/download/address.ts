import ipaddr from 'ipaddr.js'

/** Global unicast: the rest of IPv6 is local, embeds an IPv4 address or is unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** In the public range, but answered by the machine's own cloud: Azure's platform and metadata. */
const cloudInternals = ['168.63.129.16']

/**
 * True if an IP address, in any notation, is public. Addresses that embed another one (mapped, NAT64, 6to4, Teredo)
 * are not, regardless of the embedded one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || cloudInternals.includes(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
