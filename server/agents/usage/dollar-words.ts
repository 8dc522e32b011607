const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

export const dollarWords = (amount: number): string => dollars.format(amount)
