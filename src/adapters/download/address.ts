import ipaddr from 'ipaddr.js'

/** Global unicast: all else of IPv6 is local, embeds an IPv4 address or is not given out. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its range, yet the machine's own cloud answers there: Azure's platform and metadata. */
const cloudInternals = ['168.63.129.16']

/**
 * Whether an IP address, in any notation, is out on the internet. Those that carry another address inside (mapped, NAT64,
 * 6to4, Teredo) are not, whatever they carry.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || cloudInternals.includes(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
