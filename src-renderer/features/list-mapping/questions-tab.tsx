import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ListQuestion } from '#shared/contract/list-operations.ts';
import { withAnswer } from './change-mapping.ts';
import { CompareReadings } from './compare-readings.tsx';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';
import { choiceText, questionText } from './question-words.ts';

function Question({ question, ...view }: MappingView & { readonly question: ListQuestion }) {
  const { t } = useTranslation('lists');
  const { id, choices, proposed, answer, rows, samples, candidates } = question;
  const setAnswer = (choice: string) => view.onMapping(withAnswer(view.mapping, id, choice));
  return (
    <section className={classes.question} data-testid="mapping-question" data-question={id} data-open={answer === null}>
      <Radio.Group label={questionText(question, t)} value={view.mapping.answers?.[id] ?? answer} onChange={setAnswer}>
        <div className={classes.choices}>
          {choices.map((choice) => (
            <Radio
              key={choice}
              size="xs"
              value={choice}
              label={`${choiceText(question, choice, t)}${choice === proposed ? ` (${t('proposed')})` : ''}`}
            />
          ))}
        </div>
      </Radio.Group>
      <p className={classes.muted}>{t('waiting', { count: rows })}</p>
      <ul className={classes.sampleRows}>
        {samples.map(({ sheet, row, text }) => (
          <li key={`${sheet}:${row}`}>{t('sampleRow', { row, text })}</li>
        ))}
      </ul>
      {candidates.length > 1 ? <CompareReadings channel={view.channel} question={question} onAnswer={setAnswer} /> : null}
    </section>
  );
}

/** What the list does not say by itself, asked once. */
export function QuestionsTab(view: MappingView) {
  const { t } = useTranslation('lists');
  const { questions } = view.analysis;
  if (questions.length === 0) return <p className={classes.empty}>{t('noQuestions')}</p>;
  return (
    <div className={classes.scroll}>
      {questions.map((question) => (
        <Question key={question.id} {...view} question={question} />
      ))}
    </div>
  );
}
