const microsPerDollar = 1_000_000
const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

type NullIfNull<Amount> = Amount extends null | undefined ? null : number

/** Converts from millionths of a dollar, in which amounts are stored. */
export const toDollars = <Amount extends number | null>(micros: Amount) =>
  (micros === null ? null : micros / microsPerDollar) as NullIfNull<Amount>

export const toMicros = <Amount extends number | null | undefined>(dollars: Amount) =>
  (dollars == null ? null : Math.round(dollars * microsPerDollar)) as NullIfNull<Amount>

export const formatDollars = (amount: number): string => dollarFormat.format(amount)
