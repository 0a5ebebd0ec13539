import { Choices } from "./chips/choices.tsx";

type Props = { readonly suggestions: readonly string[]; readonly onAsk: (question: string) => void };

export const Start = ({ suggestions, onAsk }: Props) => (
  <section class="start">
    <h1>What would you like to know?</h1>
    <p class="lede">
      Ask about your calls in plain words. You get the answer, a chart, the rows, and the SQL that produced them.
    </p>
    {suggestions.length > 0 && <Choices title="For example" look="cards" options={suggestions} onChoose={onAsk} />}
  </section>
);
