const microsPerDollar = 1_000_000
const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

type Amount<Given> = Given extends null | undefined ? null : number

/** From millionths of a dollar, in which amounts are stored. */
export const toDollars = <Given extends number | null>(micros: Given) =>
  (micros === null ? null : micros / microsPerDollar) as Amount<Given>

export const toMicros = <Given extends number | null | undefined>(dollars: Given) =>
  (dollars == null ? null : Math.round(dollars * microsPerDollar)) as Amount<Given>

export const formatDollars = (amount: number): string => dollarFormat.format(amount)
