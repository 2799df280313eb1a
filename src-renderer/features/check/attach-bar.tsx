import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import classes from './attachments.module.css';
import { OperatorField, useOperator } from './operator-field.tsx';
import { ATTACHED, useAttach, useChooseFile } from './use-attach.ts';

interface AttachBarProps {
  readonly sessionId: number;
  readonly item: string;
  readonly code: string;
}

/** Attaches a file to an item: who, a remark, and a file that is chosen or dropped here. */
export function AttachBar({ sessionId, item, code }: AttachBarProps) {
  const { t } = useTranslation('check');
  const operator = useOperator();
  const [remark, setRemark] = useState('');
  const [isTried, setTried] = useState(false);
  const attaching = useAttach(sessionId);
  const take = (file: File) => {
    setTried(true);
    if (operator !== '') attaching.attach(file, { item, code, operator, remark: remark.trim() }, () => setRemark(''));
  };
  const choose = useChooseFile(ATTACHED, take);
  const { isOver, handlers } = useFileDrop(take);
  return (
    <section className={`${classes.bar} ${isOver ? classes.over : ''}`} aria-label={t('attach.drop')} {...handlers}>
      <OperatorField isTried={isTried} />
      <TextInput
        label={t('attach.remark')}
        value={remark}
        maxLength={500}
        onChange={(event) => setRemark(event.currentTarget.value)}
        data-path="attach_remark"
      />
      <GuardedButton
        variant="default"
        reason={operator === '' ? t('result.operatorMissing') : null}
        hint={t('attach.types')}
        loading={attaching.isPending}
        leftSection={<Icon name="upload" size={14} />}
        onClick={choose}
        testId="check-attach"
      >
        {t('attach.choose')}
      </GuardedButton>
    </section>
  );
}
