"""A small file of every tool in the shape that its documentation shows; words and numbers are made up."""

from __future__ import annotations

import json

PCIBEX = """\
# Results on Sunday May 02 2021 16:42:49 UTC
# USER AGENT: Mozilla/5.0
# Design number was non-random = 2
#
# Columns below this comment are as follows:
# 1. Results reception time.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Order number of item.
# 5. Inner element number.
# 6. Label.
# 7. Latin Square Group.
# 8. PennElementType.
# 9. PennElementName.
# 10. Parameter.
# 11. Value.
# 12. EventTime.
# 13. item.
# 14. condition.
# 15. Comments.
1603390913,a1,PennController,1,0,trial,A,PennController,1,_Trial_,Start,1603390892115,7,plural,NULL
1603390913,a1,PennController,1,0,trial,A,Key,answer,PressedKey,F,1603390893835,7,plural,Wait success
"""
IBEX = """\
# Columns below this comment are as follows:
# 1. Time results were received.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Item number.
# 5. Element number.
# 6. Type.
# 7. Group.
# 8. Question (NULL if none).
# 9. Answer.
# 10. Whether or not answer was correct (NULL if N/A).
# 11. Time taken to answer.
1300000000,h1,AcceptabilityJudgment,3,0,test,12,NULL,5,NULL,2210
"""
IBEX_RAW = json.dumps(
    [
        False,
        4,
        ["Controller name", "Item number", "Element number", "Type", "Group", "Sentence (or sentence MD5)"],
        [[[0, "FlashSentence"], [1, 3], [2, 0], [3, "plain"], [4, 7], [5, "The lid%2C it fell."]]],
        "c3Fs0zrXPVWkTGZ8QbTkZA",
        True,
    ]
)
JSPSYCH = (
    "rt,stimulus,response,trial_type,trial_index,time_elapsed,subject_id\n"
    "512.4,wug,f,html-keyboard-response,0,900,p9\n"
    "640,blick,j,html-keyboard-response,1,1900,p9\n"
)
LAB_JS = "sender,sender_id,ended_on,duration,response,correct\nTrial,0_1,response,640.2,left,true\n"
OPENSESAME = "subject_nr,response_time,response,correct,count_trial_sequence\n4,731,z,1,0\n4,655,m,0,1\n"
PSYCHOPY = (
    "word,condition,trials.thisRepN,trials.thisN,thisRow.t,key_resp.keys,key_resp.corr,key_resp.rt,participant,session,"
    "date,expName,psychopyVersion,frameRate,\n"
    ",,,,0.1,,,,7,001,2025-06-02_10h00,ldt,2024.1.4,59.9,\n"
    "kettle,common,0,0,1.2,m,1,0.6124,7,001,2025-06-02_10h00,ldt,2024.1.4,59.9,\n"
)
GORILLA = (
    "Event Index,UTC Timestamp,Experiment ID,Participant Public ID,Participant Private ID,Task Name,Trial Number,"
    "Screen Number,Zone Type,Reaction Time,Response,Correct,Incorrect,condition,item\n"
    "1,1748858400000,101,pubA,111,LDT,BEGIN TASK,,,,,,,,\n"
    "2,1748858401000,101,pubA,111,LDT,1,1,fixation,500.2,,,,rare,1\n"
    "3,1748858402000,101,pubA,111,LDT,1,2,response_keyboard,612.4,word,1,0,rare,1\n"
    "END OF FILE\n"
)
QUALTRICS = (
    "StartDate,EndDate,Status,Duration (in seconds),ResponseId,Q1,Q2\n"
    "Start Date,End Date,Response Type,Duration (in seconds),Response ID,How natural?,Why?\n"
    '"{""ImportId"":""startDate""}","{""ImportId"":""endDate""}","{""ImportId"":""status""}",'
    '"{""ImportId"":""duration""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1""}",'
    '"{""ImportId"":""QID2_TEXT""}"\n'
    "2025-01-01 10:00:00,2025-01-01 10:09:00,IP Address,540,R_1,5,It sounds fine\n"
)
EPRIME = """\
*** Header Start ***
VersionPersist: 1
LevelName: Session
LevelName: Block
LevelName: Trial
Experiment: ldt
SessionDate: 06-03-2019
Subject: 12
Session: 1
*** Header End ***
\tLevel: 3
\t*** LogFrame Start ***
\tProcedure: TrialProc
\tWord: kettle
\tTarget.ACC: 1
\tTarget.RT: 612
\tTarget.RESP: m
\t*** LogFrame End ***
\tLevel: 3
\t*** LogFrame Start ***
\tProcedure: TrialProc
\tWord: brell
\tTarget.ACC: 0
\tTarget.RT: 0
\tTarget.RESP:\x20
\t*** LogFrame End ***
Level: 2
*** LogFrame Start ***
Procedure: BlockProc
Hand: left
*** LogFrame End ***
"""
E_DATA_AID = (
    "C:\\ldt.emrg2\n"
    "ExperimentName\tSubject\tSession\tBlock\tTrial\tProcedure[Trial]\tTarget.ACC\tTarget.RESP\tTarget.RT\tWord\n"
    "ldt\t12\t1\t1\t1\tTrialProc\t1\tm\t612\tkettle\n"
)
PRESENTATION = (
    "Scenario -\tldt\nLogfile written - 02/05/2008 10:00:00\n\n"
    "Subject\tTrial\tEvent Type\tCode\tTime\tTTime\tUncertainty\tDuration\tUncertainty\tReqTime\tReqDur\tStim Type\t"
    "Pair Index\n\n"
    "s07\t1\tPicture\tfixation\t10000\t0\t1\t5000\t2\t0\t5000\tother\t0\n"
    "s07\t1\tPicture\tkettle\t15000\t5000\t1\t9000\t2\t0\t9000\thit\t0\n"
    "s07\t1\tResponse\t2\t21124\t11124\t1\n"
    "\nEvent Type\tCode\tType\tResponse\tRT\tRT Uncertainty\tTime\n\nPicture\tkettle\thit\t2\t6124\t1\t15000\n"
)
DMDX = (
    "\nSubjects incorporated to date: 002\nData file started on machine LAB2\n\n"
    "**********************************************************************\n"
    "Subject 1, 02/02/2007 15:39:19 on LAB2, refresh 16.61ms, ID p07\n"
    "  Item       RT\n   101    539.43\n   102  -1211.01\n"
    "**********************************************************************\n"
    "Subject 2, 02/02/2007 16:39:19 on LAB2, refresh 16.61ms\n"
    "  Item       RT\n   102    640.10\n"
)
LINGER = (
    "s1 rel 3 subj 0 The - 301\ns1 rel 3 subj 1 man head 322\ns1 rel 3 subj ? yes 1 1810\ns1 filler 1 - 0 She - 280\n"
)
MAGPIE = (
    "submission_id,RT,experiment_id,response,trial_name,trial_number,correct_response,question\n"
    "41,812,9,yes,main,1,yes,Did the lid fall off?\n42,733,9,no,main,1,yes,Did the lid fall off?\n"
)
MOTR = "submission_id,ItemId,Condition,Index,Word,mousePositionX,responseTime\ns1,3,a,0,The,1,0\ns1,3,a,1,lid,1,60\n"
LABVANCED = (
    "Task_Name,Trial_Nr,Trial_Id,Block_Nr,Condition_Id,Session_Nr,Rec_Session_Id,Exp_Subject_Id,RT,response\n"
    "ldt,1,3,1,2,1,9001,501,612.4,word\nldt,2,4,1,1,1,9002,502,540.1,word\n"
)
FINDING_FIVE = (
    "expt_id,group_id,participant_id,session_id,trial_num,trial_template,stimuli_presented,response_name,"
    "response_value,response_rt,response_correct\n"
    "e1,A,f01,sess,1,ldt,kettle,key,m,0.6124,True\ne1,A,f02,sess,1,ldt,kettle,key,z,0.71,False\n"
)
FORMR = (
    "session,created,modified,ended,expired,mood\nxyz1,2025-01-01 10:00:00,2025-01-01 10:01:00,2025-01-01 10:02:00,,4\n"
)
OTREE = (
    "participant.id_in_session,participant.code,participant.label,session.code,ldt.1.player.id_in_group,"
    "ldt.1.player.choice,ldt.1.subsession.round_number,ldt.2.player.id_in_group,ldt.2.player.choice\n"
    "1,c0ffee,,sess1,1,a,1,1,b\n2,decade,,sess1,1,b,1,1,\n"
)
OTREE_APP = "participant.code,player.id_in_group,player.choice,subsession.round_number,session.code\nc0ffee,1,a,1,s\n"
PROLIFIC = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,Reviewed at,Archived at,"
    "Time taken,Completion code,Total approvals,Age,Sex,Language\n"
    "s1,5f00,APPROVED,Not Applicable,2025-01-01T10:00:00Z,2025-01-01T10:09:00Z,,,540,CODE,31,27,Female,German\n"
    "s2,5f01,RETURNED,Not Applicable,2025-01-01T10:00:00Z,,,,,,12,CONSENT_REVOKED,CONSENT_REVOKED,German\n"
)
WIDE = (
    "participant,group,rt_long_match,rt_long_clash,rt_short_match,rt_short_clash\n"
    "p1,young,612.4,640,540,552\np2,old,700,712,650,NA\n"
)

SAMPLES = {
    "PCIbex": [PCIBEX],
    "Ibex": [IBEX, IBEX_RAW],
    "jsPsych": [JSPSYCH],
    "lab.js": [LAB_JS],
    "OpenSesame": [OPENSESAME],
    "PsychoPy": [PSYCHOPY],
    "Gorilla": [GORILLA],
    "Qualtrics": [QUALTRICS],
    "E-Prime": [EPRIME, E_DATA_AID],
    "Presentation": [PRESENTATION],
    "DMDX": [DMDX],
    "Linger": [LINGER],
    "magpie": [MAGPIE],
    "MoTR": [MOTR],
    "Labvanced": [LABVANCED],
    "FindingFive": [FINDING_FIVE],
    "formr": [FORMR],
    "oTree": [OTREE, OTREE_APP],
    "Prolific": [PROLIFIC],
    "wide table": [WIDE],
}
# Tables that are ready for analyses: nobody's.
PLAIN = {
    "ours": "study,participant,session,list,position,item,condition,response,rt_ms,simulated\n"
    "s,p1,1,1,1,1,a,f,512,no\n",
    "people": "study,participant,group,simulated,score_a,score_b\ns,p1,1,no,3,4\ns,p2,1,no,4,5\n",
    "long": "subj,item,condition,rt\n1,1,a,512\n1,2,b,530\n2,1,b,601\n",
    "semicolons": "participant;item;rt_ms\n1;1;512\n",
}
# A header of each tool that is refused by its name, with one row.
UNREAD = {
    "Inquisit": "date,time,subject,blockcode,trialcode,trialnum,response,correct,latency\n1,2,3,b,t,1,57,1,512\n",
    "LimeSurvey": "id,submitdate,lastpage,startlanguage,seed,Q1\n1,2025-01-01,3,en,77,4\n",
    "SurveyMonkey": "Respondent ID,Collector ID,Start Date,Q1\n11,22,2025,4\n",
    "SoSci Survey": "CASE,SERIAL,REF,QUESTNNR,MODE,STARTED,A101\n1,,,base,interview,2025,4\n",
    "REDCap": "record_id,redcap_event_name,age\n1,baseline_arm_1,27\n",
    "EyeLink Data Viewer": "RECORDING_SESSION_LABEL,TRIAL_INDEX,IA_ID,IA_DWELL_TIME\np1,1,2,212\n",
    "Tobii Pro Lab": "Recording timestamp\tParticipant name\tRecording name\n1\tp1\tr1\n",
    "Testable": "filename,subjectGroup,trialNo,RT,response,correct\n1_a,1,1,512,f,1\n",
    "Typeform": "#,Q1,Start Date (UTC),Network ID\nabc,4,2025,x\n",
}
