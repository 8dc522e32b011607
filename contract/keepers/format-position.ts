/** Two decimals, about a kilometer, with a minus sign as people write it: “53.43, −6.24”. */
export function formatPosition({ lat, lng }: { lat: number; lng: number }): string {
  return [lat, lng].map((degrees) => degrees.toFixed(2).replace('-', '−')).join(', ')
}
