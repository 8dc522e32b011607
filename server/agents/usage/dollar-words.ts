const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

/** '$2.50', as the table of prices writes it. */
export const dollarWords = (amount: number): string => dollars.format(amount)
