export const contextTextsKey = ['context-texts'] as const
