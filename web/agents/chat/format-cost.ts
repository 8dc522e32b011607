/** 'Nothing', 'about 0.4 cent', '12 cents', '$3.40'. */
export function formatCost(dollars: number, estimated: boolean): string {
  if (dollars === 0) return 'Nothing'
  return estimated ? `about ${formatAmount(dollars)}` : formatAmount(dollars)
}

function formatAmount(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`
  const cents = dollars * 100
  if (cents < 0.001) return 'less than 0.001 cent'
  const digits = cents >= 10 ? 0 : Math.max(1, -Math.floor(Math.log10(cents)))
  const text = cents.toFixed(digits).replace(/\.0$/, '')
  return `${text} ${Number(text) > 1 ? 'cents' : 'cent'}`
}
