import { renderToStaticMarkup } from 'react-dom/server'
import { OptionChips } from './option-chips'

const option = {
  name: 'Size',
  values: [
    { value: 'S', left: 2, inCheckout: 0 },
    { value: 'M', left: 0, inCheckout: 1 },
    { value: 'L', left: 0, inCheckout: 0 },
  ],
}
const chips = (isOpenEdition: boolean) =>
  renderToStaticMarkup(
    <OptionChips drop={{ option, isOpenEdition }} chosen={null} isMissing={false} onChoose={() => {}} />,
  )

it('each chip says what is left of its value', () => {
  for (const text of ['2 left', 'In checkout', 'Sold out']) expect(chips(false)).toContain(text)
  expect(chips(false)).toContain('border-dashed')
})

it('the chips of an open edition say nothing of units, and none looks sold out', () => {
  expect(chips(true)).not.toMatch(/left|checkout|Sold out|border-dashed/)
})
